"""`stockroom`: look into a warehouse from the shell."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from stockroom import reports, storage
from stockroom.catalog import UnknownProductError


def main(arguments: list[str] | None = None) -> int:
    """Run a command; 1 when it cannot be done."""
    parser = argparse.ArgumentParser("stockroom", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    low = commands.add_parser("low-stock", help="products that run out")
    low.add_argument("file", type=Path)
    low.add_argument("--minimum", type=int, default=5)
    price = commands.add_parser("price", help="what one piece costs")
    price.add_argument("file", type=Path)
    price.add_argument("sku")
    chosen = parser.parse_args(arguments)
    warehouse = storage.load(chosen.file)
    if chosen.command == "low-stock":
        print(reports.low_stock(warehouse, chosen.minimum))
        return 0
    try:
        print(warehouse.catalog.find(chosen.sku).price)
    except UnknownProductError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
