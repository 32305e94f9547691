"""What can be bought."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal


class UnknownProductError(LookupError):
    """No product has this number."""


@dataclass(frozen=True)
class Product:
    """One article: its number, its name, what one piece costs and weighs."""

    sku: str
    name: str
    price: Decimal
    grams: int


class Catalog:
    """All products, by number."""

    def __init__(self, products: Iterable[Product] = ()) -> None:
        self._products = {product.sku: product for product in products}

    def __iter__(self) -> Iterator[Product]:
        return iter(self._products.values())

    def find(self, sku: str) -> Product:
        """The product with this number. Raises UnknownProductError."""
        try:
            return self._products[sku]
        except KeyError:
            raise UnknownProductError(f"there is no product {sku!r}") from None
