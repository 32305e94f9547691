"""The warehouse as a JSON file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from stockroom.catalog import Catalog, Product
from stockroom.inventory import Inventory


@dataclass(frozen=True)
class Warehouse:
    """A catalog, and what lies on the shelves."""

    catalog: Catalog
    inventory: Inventory


def load(file: Path) -> Warehouse:
    """Read a warehouse. Raises ValueError when the file was damaged."""
    record = json.loads(file.read_text(encoding="utf-8"))
    if record["checksum"] != checksum(record["products"]):
        raise ValueError(f"{file} was damaged: its checksum does not fit")
    rows = record["products"]
    products = [Product(row["sku"], row["name"], Decimal(row["price"]), row["grams"]) for row in rows]
    return Warehouse(Catalog(products), Inventory({row["sku"]: row["pieces"] for row in rows}))


def save(warehouse: Warehouse, file: Path) -> None:
    """Write a warehouse."""
    rows = [
        {
            "sku": product.sku,
            "name": product.name,
            "price": str(product.price),
            "grams": product.grams,
            "pieces": warehouse.inventory.available(product.sku),
        }
        for product in warehouse.catalog
    ]
    record = {"products": rows, "checksum": checksum(rows)}
    file.write_text(json.dumps(record, indent=2), encoding="utf-8")


def checksum(rows: list[dict[str, object]]) -> str:
    """A short name for the content of all rows."""
    return hashlib.md5(json.dumps(rows, sort_keys=True).encode()).hexdigest()
