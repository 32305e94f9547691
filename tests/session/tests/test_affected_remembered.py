"""After an edit of a function that remembers its results, or of what it calls, all its tests run again."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.tested_shop import Shop, failing, ran

pytestmark = pytest.mark.timeout(120)
CART = """\
import functools


def rate():
    return 1


def unused():
    return 1


@functools.lru_cache
def fee():
    return rate()
"""
FILES = {
    "cart.py": CART,
    "test_cart.py": """\
import cart


def test_first():
    assert cart.unused() == cart.fee() == 1


def test_second():
    assert cart.fee() == 1
""",
}
BOTH = {"test_first": "floor", "test_second": "floor"}


async def test_of_an_edit_of_it_or_of_what_it_calls(tmp_path: Path) -> None:
    shop = Shop(tmp_path, files=FILES)
    try:
        first = await shop.said({"cart.py": CART + "# edited\n"})
        assert (ran(first), failing(first)) == (set(BOTH), {})
        called = await shop.said({"cart.py": CART.replace("rate():\n    return 1", "rate():\n    return 3")})
        assert (ran(called), failing(called)) == (set(BOTH), BOTH)
        back = await shop.said({"cart.py": CART + "# edited\n"})
        assert (ran(back), failing(back)) == (set(BOTH), {})
        itself = await shop.said({"cart.py": CART.replace("return rate()", "return 2")})
        assert (ran(itself), failing(itself)) == (set(BOTH), BOTH)
    finally:
        await shop.tests.stop()
