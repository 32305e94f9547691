"""A look at other texts: what would be found with them, and nothing of it stays."""

from __future__ import annotations

import pytest
from type_project import Make, TypeProject, errors_of

pytestmark = pytest.mark.deep

TAKES_INT = "def take(number: int) -> None: ...\n"
TAKES_STR = "def take(number: str) -> None: ...\n"
GIVES_INT = "from callee import take\n\ntake(1)\n"
BAD = "number: int = ''\n"
GOOD = "number: int = 1\n"


async def peeked(shop: TypeProject, **texts: str | None) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    sides = await shop.checker.peek({f"{name}.py": text for name, text in texts.items()})
    before, after = ({path: errors_of(report) for path, report in side.items()} for side in sides)
    return before, after


async def test_what_would_be_found_without_what_is_typed(project: Make) -> None:
    shop = project()
    await shop.type({"cart.py": BAD})
    assert await peeked(shop, cart=GOOD) == ({"cart.py": ["1 assignment"]}, {"cart.py": []})
    await shop.type({"cart.py": BAD + "\n"})
    assert shop.errors("cart.py") == ["1 assignment"]


async def test_what_it_breaks_elsewhere_is_found(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": TAKES_INT, "caller.py": GIVES_INT})
    await shop.type({"caller.py": GIVES_INT + "\n"})
    before, after = await peeked(shop, callee=TAKES_STR)
    assert before == {"callee.py": [], "caller.py": []}
    assert after == {"callee.py": [], "caller.py": ["3 arg-type"]}
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == []


async def test_a_file_that_is_not_open_is_what_it_was(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await shop.type({"caller.py": GIVES_INT})
    await shop.type({"caller.py": GIVES_INT + "\n"})
    _, after = await peeked(shop, callee=TAKES_STR)
    assert after["caller.py"] == ["3 arg-type"]
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == []
    shop.write("callee.py", TAKES_STR)
    await shop.checker.files_changed(["callee.py"])
    await shop.type({"caller.py": GIVES_INT})
    assert shop.errors("caller.py") == ["3 arg-type"]


async def test_a_text_that_does_not_parse_is_mended_in_a_look(project: Make) -> None:
    shop = project()
    await shop.type({"cart.py": GOOD})
    await shop.type({"cart.py": "number: int = (''\n"})
    _, after = await peeked(shop, cart=BAD)
    assert after == {"cart.py": ["1 assignment"]}
    await shop.type({"cart.py": GOOD + "\n"})
    assert shop.errors("cart.py") == []


async def test_a_look_before_anything_was_asked_starts_the_engine(project: Make) -> None:
    shop = project()
    shop.write("cart.py", BAD)
    before, after = await peeked(shop, cart=GOOD)
    assert after["cart.py"] == []
    assert before == {"cart.py": ["1 assignment"]}


async def test_who_only_looks_at_other_texts_waits_for_the_engine_alone(project: Make) -> None:
    shop = project()
    shop.write("callee.py", TAKES_INT)
    await shop.checker.ready({"caller.py": GIVES_INT})
    assert (shop.checker._cache.is_primed, shop.checker._first.pid) == (True, None)
    started = shop.checker._engine.pid
    _, after = await peeked(shop, callee=TAKES_STR)
    assert (after["caller.py"], shop.checker._engine.pid) == (["3 arg-type"], started)


async def test_an_engine_that_cannot_be_got_ready_is_started_when_it_is_asked(project: Make) -> None:
    shop = project()
    await shop.checker.ready({"cart.py": "number: int = (''\n"})
    _, after = await peeked(shop, cart=BAD)
    assert after == {"cart.py": ["1 assignment"]}
