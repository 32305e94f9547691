"""Packs orders into parcels."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from stockroom.catalog import Catalog
from stockroom.orders import Order

HEAVIEST = 20_000
"""Grams that a parcel may weigh."""

_RATES = ((1_000, Decimal("3.90")), (5_000, Decimal("6.50")), (HEAVIEST, Decimal("12.00")))


@dataclass(frozen=True)
class Parcel:
    """Products by number, and what they weigh together."""

    contents: tuple[str, ...]
    grams: int

    def cost(self) -> Decimal:
        """What sending it costs."""
        return next(rate for limit, rate in _RATES if self.grams <= limit)


def pack(order: Order, catalog: Catalog) -> list[Parcel]:
    """Fill one parcel after the other, heaviest pieces first. Raises ValueError for what fits in none."""
    pieces = [catalog.find(line.sku) for line in order.lines for _ in range(line.quantity)]
    parcels: list[Parcel] = []
    for piece in sorted(pieces, key=lambda product: (-product.grams, product.sku)):
        if piece.grams > HEAVIEST:
            raise ValueError(f"{piece.sku} weighs {piece.grams} g, a parcel carries {HEAVIEST} g")
        spot = next((n for n, p in enumerate(parcels) if p.grams + piece.grams <= HEAVIEST), None)
        if spot is None:
            parcels.append(Parcel((piece.sku,), piece.grams))
        else:
            fuller = parcels[spot]
            parcels[spot] = Parcel((*fuller.contents, piece.sku), fuller.grams + piece.grams)
    return parcels
