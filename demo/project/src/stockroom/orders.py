"""Orders, from the first line to the shelf."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import Enum

from stockroom.inventory import Inventory


class Tier(Enum):
    """How well we know a customer."""

    NEW = "new"
    REGULAR = "regular"
    PARTNER = "partner"


@dataclass(frozen=True)
class Customer:
    """Who orders."""

    name: str
    country: str
    tier: Tier = Tier.NEW


@dataclass(frozen=True)
class Line:
    """So many pieces of one product."""

    sku: str
    quantity: int


@dataclass(frozen=True)
class Order:
    """What a customer wants."""

    number: str
    customer: Customer
    lines: tuple[Line, ...]

    def quantities(self) -> Counter[str]:
        """Pieces by product number; lines of the same product are added up."""
        wanted: Counter[str] = Counter()
        for line in self.lines:
            wanted[line.sku] += line.quantity
        return wanted


class OrderBook:
    """The open orders, whose pieces are reserved."""

    def __init__(self, inventory: Inventory) -> None:
        self.inventory = inventory
        self._open: dict[str, Order] = {}

    def place(self, order: Order) -> None:
        """Reserve everything an order needs. Raises ShortageError."""
        if order.number in self._open:
            raise ValueError(f"order {order.number} is placed already")
        self.inventory.reserve(order.quantities())
        self._open[order.number] = order

    def cancel(self, number: str) -> None:
        """Put the pieces of an open order back."""
        order = self._open.pop(number)
        self.inventory.put_back(order.quantities())

    def open_orders(self) -> tuple[Order, ...]:
        """The open orders, in the order they came."""
        return tuple(self._open.values())
