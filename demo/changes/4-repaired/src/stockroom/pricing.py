"""What an order costs."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from stockroom.catalog import Catalog
from stockroom.orders import Customer, Order, Tier

CENT = Decimal("0.01")

VOLUME = {
    Tier.NEW: (),
    Tier.REGULAR: ((1000, Decimal("0.03")),),
    Tier.PARTNER: ((1000, Decimal("0.08")), (500, Decimal("0.06")), (0, Decimal("0.05"))),
}
"""By tier: from which amount on which rate is taken off, highest first."""

COUPONS = {
    "SPRING": (frozenset(Tier), Decimal("0.05")),
    "WELCOME": (frozenset({Tier.NEW}), Decimal("0.10")),
}
"""By coupon: who may use it, and its rate."""


def rounded(amount: Decimal) -> Decimal:
    """An amount in whole cents."""
    return amount.quantize(CENT, rounding=ROUND_HALF_UP)


def subtotal(order: Order, catalog: Catalog) -> Decimal:
    """The prices of all lines, added up."""
    return rounded(sum((catalog.find(line.sku).price * line.quantity for line in order.lines), Decimal(0)))


def discount(order: Order, amount: Decimal, coupon: str = "") -> Decimal:
    """What is taken off `amount`: by volume or by coupon, whichever is more."""
    rate = max(_volume_rate(order.customer, amount), _coupon_rate(order.customer, coupon))
    return rounded(amount * rate)


def _volume_rate(customer: Customer, amount: Decimal) -> Decimal:
    rates = VOLUME[customer.tier]
    return next((rate for above, rate in rates if amount > above), Decimal(0))


def _coupon_rate(customer: Customer, coupon: str) -> Decimal:
    tiers, rate = COUPONS.get(coupon, (frozenset(), Decimal(0)))
    return rate if customer.tier in tiers else Decimal(0)


def total(order: Order, catalog: Catalog, coupon: str = "") -> Decimal:
    """What the customer pays for the goods."""
    amount = subtotal(order, catalog)
    return amount - discount(order, amount, coupon)
