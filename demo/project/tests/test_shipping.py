from __future__ import annotations

from decimal import Decimal

from stockroom.orders import Customer, Line, Order
from stockroom.shipping import pack
from stockroom.storage import Warehouse


def test_heavy_pieces_travel_alone(warehouse: Warehouse) -> None:
    order = Order("1", Customer("Smithy", "NL"), (Line("A-17", 2), Line("N-02", 3)))
    parcels = pack(order, warehouse.catalog)
    assert [p.grams for p in parcels] == [20_000, 19_000]
    assert [p.cost() for p in parcels] == [Decimal("12.00"), Decimal("12.00")]
