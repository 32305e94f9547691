"""Reports for people."""

from __future__ import annotations

from stockroom.storage import Warehouse


def low_stock(warehouse: Warehouse, minimum: int) -> str:
    """A line for each product of which fewer than `minimum` pieces are left."""
    rows = warehouse.inventory.below(minimum)
    if not rows:
        return "nothing is low"
    names = {sku: warehouse.catalog.find(sku).name for sku in rows}
    return "\n".join(f"{sku:<8} {names[sku]:<24} {count:>4}" for sku, count in rows.items())
