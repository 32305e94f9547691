from __future__ import annotations

from decimal import Decimal

import pytest

from stockroom.catalog import Catalog, Product
from stockroom.inventory import Inventory
from stockroom.storage import Warehouse


@pytest.fixture
def warehouse() -> Warehouse:
    catalog = Catalog(
        [
            Product("A-17", "anvil", Decimal("89.90"), 18_000),
            Product("N-02", "nails, 1 kg", Decimal("4.25"), 1_000),
        ]
    )
    return Warehouse(catalog, Inventory({"A-17": 2, "N-02": 40}))
