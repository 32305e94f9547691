"""One function checked alone: the same findings as of the whole text, or none at all."""

from __future__ import annotations

import asyncio
import os
import signal
from itertools import pairwise

import pytest
from type_project import Make, TypeProject, errors_of

pytestmark = pytest.mark.deep

CART = """\
import sys
from typing import Iterator

class Base:
    limit: int = 3


class Cart(Base):
    def __init__(self, items: list[int]) -> None:
        self.items = items
        self.total: int = 0

    @property
    def size(self) -> int:
        return len(self.items)

    @size.setter
    def size(self, size: int) -> None:
        self.items = self.items[:size]

    async def wait(self) -> int:
        self.limit = 4
        return self.limit

    def each(self) -> Iterator[int]:
        for item in self.items:
            yield item


def add(cart: Cart, item: int) -> int:
    cart.items.append(item)
    return cart.size


if sys.version_info >= (3, 11):

    def last(cart: Cart) -> int:
        return cart.items[-1]
"""
EDITS = [
    ("return len(self.items)", "return str(self.items)", ["15 return-value"]),
    ("self.items = self.items[:size]", "self.items = size", ["19 assignment"]),
    ("        self.limit = 4\n", "        self.limit = ''\n", ["22 assignment"]),
    ("return self.limit", "return self.limits", ["23 attr-defined"]),
    ("yield item", "yield str(item)", ["27 misc"]),
    ("return cart.size", "return cart.sizes", ["32 attr-defined"]),
    ("return cart.items[-1]", "return cart.items['']", ["38 call-overload"]),
    (
        "    return cart.size\n",
        "    def inner() -> str:\n        return 1\n    return cart.size\n",
        ["33 return-value"],
    ),
    ("    return cart.size\n", "\n\n\n    return None\n", ["35 return-value"]),
    ("    cart.items.append(item)\n    return cart.size", "    pass", ["30 empty-body"]),
    ("    return cart.size", "    return ''  # type: ignore[return-value]", []),
    (
        "        self.items = items\n",
        "        self.items = items\n        limit: str = 1\n",
        ["11 assignment"],
    ),
]
ELSEWHERE = [
    ("-> Iterator[int]:", "-> Iterator[str]:"),
    ("limit: int = 3", "limit: str = 3"),
    ("self.total: int = 0", "self.total: int = ''"),
    ("        self.limit = 4\n", "        self.other = 4\n"),
]


async def previewed(shop: TypeProject, text: str, path: str = "cart.py") -> list[str] | None:
    checked = await shop.checker.preview(path, text)
    return errors_of(checked.reports[path]) if path in checked.reports else None


async def checked(shop: TypeProject, text: str) -> list[str]:
    await shop.type({"cart.py": text})
    return shop.errors("cart.py")


async def test_a_body_is_checked_alone_as_with_the_rest(project: Make) -> None:
    shop = project()
    assert await checked(shop, CART) == []
    for old, new, expected in EDITS:
        text = CART.replace(old, new)
        assert (await previewed(shop, text), old) == (expected, old)
        assert await previewed(shop, CART) == []
        soon = await shop.checker.preview("cart.py", text)
        whole = await shop.type({"cart.py": text})
        assert soon.reports == whole.reports
        assert (shop.errors("cart.py"), old) == (expected, old)
        assert await checked(shop, CART) == []


async def test_other_edits_are_left_to_a_check_of_the_whole(project: Make) -> None:
    shop = project()
    assert await checked(shop, CART) == []
    for old, new in ELSEWHERE:
        assert (await previewed(shop, CART.replace(old, new)), old) == (None, old)
        assert await checked(shop, CART.replace(old, new)) == await shop.plain("cart.py"), old
        assert await checked(shop, CART) == []


async def test_edits_add_up(project: Make) -> None:
    """Several functions after each other, each with lines more: every error is where it is then."""
    shop = project()
    await checked(shop, CART)
    text = CART
    for old, new, _ in EDITS[:3]:
        indent = " " * (len(CART.split(old)[0].splitlines(keepends=True)[-1]) if old.strip() == old else 0)
        text = text.replace(
            old, f"pass\n        pass\n{indent}{new}" if indent else f"        pass\n{new}", 1
        )
        found = await previewed(shop, text)
    assert found == ["17 return-value", "23 assignment", "27 assignment"]
    assert await checked(shop, text) == found == await shop.plain("cart.py")


async def test_who_takes_edits_back_may_edit_elsewhere(project: Make) -> None:
    """One function after the other, each put back, and the module never checked as a whole meanwhile."""
    shop = project()
    await checked(shop, CART)
    for old, new, expected in EDITS:
        assert (await previewed(shop, CART.replace(old, new)), old) == (expected, old)
        assert await previewed(shop, CART) == []
    old, new, expected = EDITS[0]
    assert await checked(shop, CART.replace(old, new)) == expected == await shop.plain("cart.py")
    assert await checked(shop, CART) == [] == await shop.plain("cart.py")


async def test_what_waits_to_be_checked_is_not_overtaken(project: Make) -> None:
    shop = project()
    await checked(shop, CART)
    shop.write("other.py", "")
    await shop.checker.files_changed(["other.py"])
    assert await previewed(shop, CART.replace("cart.size", "cart.sizes")) is None


async def test_another_file_is_checked_after_what_was_previewed(project: Make) -> None:
    """The rest of a previewed module comes first: otherwise its errors would be on lines of old."""
    shop = project()
    text, uses = CART.replace("    return cart.size\n", "\n\n    return cart.size\n"), "limit: str"
    await shop.type(
        {
            "settings.py": "LIMIT: int = 1\n",
            "cart.py": CART + "\nfrom settings import LIMIT\nx: int = LIMIT\n",
        }
    )
    text += "\nfrom settings import LIMIT\nx: int = LIMIT\n"
    assert await previewed(shop, text) == []
    shop.texts["cart.py"] = text
    await shop.type({"settings.py": uses.replace("limit", "LIMIT") + " = ''\n"})
    assert shop.errors("cart.py") == [f"{len(text.splitlines())} assignment"]


async def test_texts_that_the_checker_has_not_are_not_previewed(project: Make) -> None:
    shop = project()
    assert await previewed(shop, CART) is None
    await checked(shop, CART)
    assert await previewed(shop, CART, "new.py") is None
    assert await previewed(shop, CART.replace("return cart.size", "return (")) is None


async def test_a_killed_engine_costs_only_the_preview(project: Make) -> None:
    shop = project()
    await checked(shop, CART)
    (pid,) = shop.checker.pids
    os.kill(pid, signal.SIGSTOP)
    asked = asyncio.ensure_future(previewed(shop, CART.replace("cart.size", "cart.sizes")))
    await asyncio.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    assert await asked is None
    assert await checked(shop, CART.replace("cart.size", "cart.sizes")) == ["32 attr-defined"]


async def test_every_key_of_a_line_is_followed(project: Make) -> None:
    shop = project()
    line = "    count: str = cart.size\n"
    texts = [
        CART.replace("    return cart.size", line[:n] + "\n    return cart.size") for n in range(4, len(line))
    ]
    await checked(shop, CART)
    for before, text in pairwise(texts):
        soon = await previewed(shop, text)
        whole = await checked(shop, text)
        assert soon in (None, whole), (before, text)
    assert soon == whole == ["32 assignment"]
