from __future__ import annotations

from decimal import Decimal

import pytest

from stockroom import pricing
from stockroom.orders import Customer, Line, Order, Tier
from stockroom.storage import Warehouse


def order(tier: Tier, anvils: int = 1) -> Order:
    return Order("1", Customer("Smithy", "NL", tier), (Line("A-17", anvils), Line("N-02", 4)))


def test_new_customers_pay_the_full_price(warehouse: Warehouse) -> None:
    assert pricing.total(order(Tier.NEW), warehouse.catalog) == Decimal("106.90")


def test_partners_pay_less(warehouse: Warehouse) -> None:
    assert pricing.total(order(Tier.PARTNER), warehouse.catalog) == Decimal("101.55")


@pytest.mark.parametrize(
    ("tier", "amount", "coupon", "expected"),
    [
        (Tier.NEW, "2000", "", "0"),
        (Tier.REGULAR, "1000", "", "0"),
        (Tier.REGULAR, "2000", "", "60"),
        (Tier.PARTNER, "501", "", "30.06"),
        (Tier.PARTNER, "2000", "SPRING", "160"),
        (Tier.NEW, "100", "SPRING", "5"),
        (Tier.NEW, "100", "WELCOME", "10"),
        (Tier.REGULAR, "100", "WELCOME", "0"),
        (Tier.REGULAR, "100", "NONSENSE", "0"),
    ],
)
def test_discounts(tier: Tier, amount: str, coupon: str, expected: str) -> None:
    assert pricing.discount(order(tier), Decimal(amount), coupon) == Decimal(expected)
