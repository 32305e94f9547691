"""Same content, same verdict, byte for byte: buffer = saved file = command line = index."""

from __future__ import annotations

import pytest
from type_project import Warm

from gateline.model import Level, Progress
from gateline.session.check import Selection, check
from gateline.session.judge.wire import canonical_json
from gateline.session.session import Session
from support.repositories import Repository

pytestmark = pytest.mark.deep

BASE = '"""A shop."""\n\n\ndef price(name: str) -> int:\n    """The price."""\n    return len(name)\n'
CHANGED = (
    BASE
    + """

def total(names: list[str]) -> str:
    eval(names[0])
    return sum(price(n) for n in names)
"""
)
PROJECT = '[project]\nname = "shop"\nversion = "1"\n'


@pytest.fixture
def shop(repository: Repository, warm: Warm) -> Repository:
    warm(repository.folder)
    repository.commit("base", **{"shop.py": BASE, "pyproject.toml": PROJECT})
    return repository


async def judged(shop: Repository, **selection: object) -> bytes:
    result = await check(shop.folder, Selection(**selection), Level.FINAL)
    return canonical_json(result.evaluation)


async def judged_in_editor(shop: Repository, text: str | None) -> bytes:
    """The verdict of a session; with `text` typed into the open document first."""
    session = Session(shop.folder, publish=lambda _: None, status=lambda _: None)
    await session.start()
    try:
        if text is not None:
            session.open("shop.py", BASE, 1)
            session.change("shop.py", [(None, text)], 2)
        return canonical_json(await session.evaluate(Level.FINAL, "change", Progress.SAID))
    finally:
        await session.stop()


async def test_the_same_content_is_judged_alike_everywhere(shop: Repository) -> None:
    typed = await judged_in_editor(shop, CHANGED)
    shop.write("shop.py", CHANGED)
    saved = await judged_in_editor(shop, None)
    command_line = await judged(shop)
    shop.git("add", "shop.py")
    shop.write("shop.py", "this is not what is staged (\n")
    staged = await judged(shop, staged=True)
    assert b'"GTL110"' in command_line and b'"GTL301"' in command_line
    assert typed == command_line
    assert saved == command_line
    assert staged == command_line


async def test_many_runs_give_the_same_bytes(shop: Repository) -> None:
    shop.write("shop.py", CHANGED)
    session = Session(shop.folder, publish=lambda _: None, status=lambda _: None)
    await session.start()
    try:
        seen = set()
        for run in range(20):
            if run == 10:
                session.open("shop.py", CHANGED, 1)
            seen.add(canonical_json(await session.evaluate(Level.FINAL, "change", Progress.SAID)))
    finally:
        await session.stop()
    assert len(seen) == 1


async def test_a_settings_file_of_the_change_does_not_hide_a_finding_of_the_base(shop: Repository) -> None:
    """A clean tree has nothing to judge, whatever the level."""
    for level in Level:
        result = await check(shop.folder, Selection(), level)
        assert result.evaluation.files == ()
        assert result.evaluation.findings == ()


async def test_a_change_that_breaks_an_untouched_file_is_found(shop: Repository) -> None:
    shop.commit(
        "a caller", **{"caller.py": '"""Calls."""\n\nfrom shop import price\n\nPRICE = price("tea")\n'}
    )
    shop.write("shop.py", BASE.replace("name: str", "name: bytes"))
    verdict = await judged(shop)
    assert b"caller.py" in verdict and b"mypy: arg-type" in verdict


async def test_a_text_that_does_not_parse_says_nothing_of_its_importers(shop: Repository) -> None:
    shop.commit(
        "a caller", **{"all.py": "from shop import *\n", "caller.py": "import all\n\nall.price('tea')\n"}
    )
    shop.write("shop.py", BASE + "x = (\n")
    shop.write("caller.py", "import all\n\nall.price('tea')\nall.price(1)\n")
    result = await check(shop.folder, Selection(), Level.FINAL)
    new = [(f.path, f.span.start.line + 1, f.code) for f in result.evaluation.findings if f.novelty == "new"]
    assert [row for row in new if row[2] != "GTL501"] == [
        ("caller.py", 4, "GTL110"),
        ("shop.py", 7, "GTL101"),
    ]
