"""What an order costs."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from itertools import product
from string import ascii_uppercase

from stockroom.catalog import Catalog
from stockroom.orders import Order, Tier

CENT = Decimal("0.01")


def rounded(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def subtotal(order: Order, catalog: Catalog) -> Decimal:
    """The prices of all lines, added up."""
    return rounded(sum((catalog.find(line.sku).price * line.quantity for line in order.lines), Decimal(0)))


def _known(coupon: str) -> bool:
    codes = ["".join(letters) for letters in product(ascii_uppercase, repeat=4)]
    return coupon[:4] in codes


def discount(order: Order, amount: Decimal, coupon: str = "") -> Decimal:
    rate = 0.0
    if order.customer.tier is Tier.PARTNER:
        if amount > 1000:
            rate = 0.08
        elif amount > 500:
            rate = 0.06
        else:
            rate = 0.04
    elif order.customer.tier is Tier.REGULAR:
        if amount > 1000 and order.customer.country in ("NL", "BE"):
            rate = 0.04
        elif amount > 1000:
            rate = 0.03
        elif len(order.lines) > 20 or sum(line.quantity for line in order.lines) > 200:
            rate = 0.02
    if _known(coupon):
        if coupon.startswith("SPRING") and rate < 0.05:
            rate = 0.05
        elif coupon.startswith("STAFF"):
            rate = 0.20
        elif coupon == "WELCOME" and order.customer.tier is Tier.NEW:
            rate = 0.10
    return rounded(amount * Decimal(rate))


def total(order: Order, catalog: Catalog, coupon: str = "") -> Decimal:
    """What the customer pays for the goods."""
    amount = subtotal(order, catalog)
    return amount - discount(order, amount, coupon)
