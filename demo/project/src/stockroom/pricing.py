"""What an order costs."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from stockroom.catalog import Catalog
from stockroom.orders import Order, Tier

CENT = Decimal("0.01")


def rounded(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def subtotal(order: Order, catalog: Catalog) -> Decimal:
    """The prices of all lines, added up."""
    return rounded(sum((catalog.find(line.sku).price * line.quantity for line in order.lines), Decimal(0)))


def discount(order: Order, amount: Decimal) -> Decimal:
    """What is taken off `amount`: partners pay 5 % less."""
    return rounded(amount * Decimal("0.05")) if order.customer.tier is Tier.PARTNER else Decimal(0)


def total(order: Order, catalog: Catalog) -> Decimal:
    """What the customer pays for the goods."""
    amount = subtotal(order, catalog)
    return amount - discount(order, amount)
