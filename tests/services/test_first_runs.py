"""The first answer about a project without a cache, and what happens until there is an engine."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from type_project import Make, TypeProject

from gateline.services import spawning
from gateline.services.types.messages import FAR, Glance, Plain
from gateline.services.types.resident import first

pytestmark = [pytest.mark.deep, pytest.mark.timeout(120)]

GOOD = "number: int = 1\n"
BAD = "number: int = ''\n"
SHOP = {
    "stock.py": """\
class Stock:
    def __init__(self, amounts: dict[str, int]) -> None:
        self.amounts = amounts
        self.kind = "shelf"

    def take(self, name: str) -> int:
        self.taken = [name]
        wrong: int = name
        return self.amounts[name]

    def unchecked(self, name):
        return name
""",
    "shop.py": """\
from stock import Stock

stock = Stock({})
amounts: None = stock.amounts
kind: None = stock.kind
taken: None = stock.taken
amount: None = stock.take("a")
nothing_known: None = stock.unchecked("a")
names = []
total: str = stock.take("a")


def later() -> None:
    names.append(1)
""",
}


@pytest.fixture
def cold(project: Make, tmp_path: Path) -> TypeProject:
    """A project of which mypy remembers nothing."""
    return project(cache=tmp_path / "empty")


async def ask(shop: TypeProject, path: str, text: str) -> list[str]:
    """The first answer, without waiting for what it sets off."""
    shop.texts[path] = text
    shop.see(await shop.checker.update({path: text}))
    return shop.errors(path)


async def until(holds: Callable[[], object]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


@pytest.fixture(params=[1, 99], ids=["at once", "one after the other"])
def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first, "_ROOM", request.param)


async def test_it_says_what_an_ordinary_run_says(cold: TypeProject, room: None) -> None:
    for path, text in SHOP.items():
        cold.write(path, text)
    text = SHOP["shop.py"] + "other: int = ''\n"
    found = await ask(cold, "shop.py", text)
    assert found == [
        *("4 assignment", "5 assignment", "6 assignment", "7 assignment"),
        *("9 var-annotated", "10 assignment", "15 assignment"),
    ]
    known = cold.shown["shop.py"]
    await cold.type({"shop.py": text + "\n"})  # the engine's answer, of the same findings
    assert [f.message for f in cold.shown["shop.py"].findings] == [f.message for f in known.findings]
    plain = await cold.checker.plain(cold.texts)
    assert plain["shop.py"].findings == known.findings


async def test_the_answer_does_not_wait_for_the_cache(
    cold: TypeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first, "_ROOM", 99)
    assert await ask(cold, "shop.py", BAD) == ["1 assignment"]
    assert not cold.checker._cache.is_primed
    assert await ask(cold, "shop.py", "\n" + BAD) == ["2 assignment"]
    await cold.checker._first.ended()
    assert cold.checker._cache.is_primed


async def test_what_is_typed_meanwhile_is_answered_meanwhile(cold: TypeProject, room: None) -> None:
    await ask(cold, "shop.py", BAD)
    asked = [asyncio.ensure_future(ask(cold, "shop.py", "\n" * n + BAD)) for n in range(1, 4)]
    await asyncio.gather(*asked, return_exceptions=True)
    assert cold.errors("shop.py") == ["4 assignment"]
    await cold.type({"shop.py": GOOD})
    assert not cold.checker._engine.needs_start
    assert cold.errors("shop.py") == []


MANY = {f"many{n}.py": f"import many{n + 1}\nx = many{n + 1}.x\n" for n in range(20)} | {
    "many20.py": "x = 1\n"
}
"""Each of these modules imports the next."""
USES_MANY = "import many0\n\nwrong: str = many0.x\n"


@pytest.mark.parametrize("opened", [{"new.py": USES_MANY}, {"shop.py": USES_MANY}], ids=["opened", "typed"])
async def test_what_brings_many_modules_is_not_taken_in_one_by_one(
    project: Make, opened: dict[str, str]
) -> None:
    shop = project()
    for path, text in MANY.items():
        shop.write(path, text)
    await shop.type({"shop.py": GOOD})
    (engine,) = shop.checker.pids
    await shop.type(opened)
    (path,) = opened
    assert shop.errors(path) == ["3 assignment"]
    assert engine not in shop.checker.pids
    assert not shop.checker._engine.needs_start
    engine = shop.checker._engine.pid or 0
    await shop.type({path: "\n" + USES_MANY})
    assert shop.errors(path) == ["4 assignment"]
    assert shop.checker._engine.pid == engine, "all of it is in the build now"


async def test_what_brings_few_modules_is_taken_in(project: Make) -> None:
    shop = project()
    for path, text in MANY.items():
        shop.write(path, text)
    await shop.type({"shop.py": GOOD})
    before = shop.checker.pids
    await shop.type({"new.py": USES_MANY.replace("many0", "many15")})
    assert shop.errors("new.py") == ["3 assignment"]
    assert shop.checker.pids == before


ORDERS = list(itertools.permutations(("shop.py", "test_shop.py")))


@pytest.mark.parametrize("order", ORDERS, ids="-".join)
@pytest.mark.parametrize("when", ["together", "before the engine", "after it"])
@pytest.mark.parametrize("is_cold", [True, False], ids=["cold", "warm"])
async def test_the_order_in_which_documents_are_opened_does_not_matter(
    project: Make, tmp_path: Path, order: tuple[str, str], when: str, is_cold: bool
) -> None:
    """One brings many modules, as a test that imports pytest, and the cache knows the other alone."""
    shop = project(cache=tmp_path / "empty") if is_cold else project()
    for path, text in MANY.items():
        shop.write(path, text)
    texts = {"shop.py": BAD, "test_shop.py": USES_MANY + "from shop import number\n"}
    first, second = order
    shop.texts |= texts
    if when == "together":
        shop.checker.expect({second: texts[second]})
    shop.see(await shop.checker.update({first: texts[first]}))
    if when == "after it":
        await shop.checker._first.ended()
    shop.see(await shop.checker.update({second: texts[second]}))
    assert shop.errors("shop.py") == ["1 assignment"]
    assert shop.errors("test_shop.py") == ["3 assignment"]
    await shop.type({"shop.py": "\n" + BAD})
    assert shop.errors("shop.py") == ["2 assignment"]
    await shop.type({"test_shop.py": "\n" + texts["test_shop.py"]})
    assert shop.errors("test_shop.py") == ["4 assignment"]
    assert not shop.checker._engine.needs_start


async def test_an_engine_does_not_start_from_a_cache_that_lacks_many(project: Make) -> None:
    first = project()
    for path, text in MANY.items():
        first.write(path, text)
    await first.type({"shop.py": GOOD})
    await first.checker.stop()
    second = project()
    second.checker.expect({"new.py": USES_MANY})
    second.texts["new.py"] = USES_MANY
    await second.type({"shop.py": BAD})
    assert second.errors("shop.py") == ["1 assignment"]
    assert second.errors("new.py") == ["3 assignment"], "one answer speaks of all that is open"
    assert not second.checker._engine.needs_start


async def test_a_text_that_does_not_parse_meanwhile_keeps_what_was_known(
    cold: TypeProject, room: None
) -> None:
    cold.write("callee.py", "")
    await cold.checker.update({"callee.py": "def take(x: int) -> None: ...\n"})
    assert await ask(cold, "caller.py", "from callee import take\ntake('')\n") == ["2 arg-type"]
    await cold.type({"callee.py": "def take(x: int"})
    assert cold.errors("caller.py") == ["2 arg-type"]


async def test_when_the_first_run_is_killed_the_other_answers(cold: TypeProject, room: None) -> None:
    asked = asyncio.ensure_future(ask(cold, "shop.py", BAD))
    await until(lambda: cold.checker._first.pid)
    os.kill(cold.checker._first.pid or 0, signal.SIGKILL)
    assert await asked == ["1 assignment"]
    assert cold.checker._cache.is_primed


async def test_when_the_cache_cannot_be_filled_the_next_text_tries_again(
    cold: TypeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first, "_ROOM", 99)
    await ask(cold, "shop.py", BAD)
    await until(lambda: cold.checker._runs.pid)
    os.kill(cold.checker._runs.pid or 0, signal.SIGKILL)
    await cold.checker._first.ended()
    assert not cold.checker._cache.is_primed
    assert await ask(cold, "shop.py", "\n" + BAD) == ["2 assignment"]
    await cold.type({"shop.py": GOOD})
    assert cold.errors("shop.py") == []
    assert cold.checker._cache.is_primed


async def test_the_base_is_told_of_before_there_is_an_engine(
    cold: TypeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first, "_ROOM", 99)
    await ask(cold, "shop.py", GOOD)
    reports = await cold.checker.plain_soon({"shop.py": BAD})
    assert not cold.checker._cache.is_primed
    assert [f.origin for f in reports["shop.py"].findings] == ["mypy: assignment"]
    assert cold.errors("shop.py") == [], "nothing of it is remembered"


async def test_the_base_is_told_of_when_that_process_ends_meanwhile(
    cold: TypeProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first, "_ROOM", 99)
    await ask(cold, "shop.py", GOOD)
    asked = asyncio.ensure_future(cold.checker.plain_soon({"shop.py": BAD}))
    await asyncio.sleep(0)
    os.kill(cold.checker._first.pid or 0, signal.SIGKILL)
    reports = await asked
    assert [f.origin for f in reports["shop.py"].findings] == ["mypy: assignment"]


async def test_what_its_process_remembered_goes_with_it(cold: TypeProject, room: None) -> None:
    await ask(cold, "shop.py", BAD)
    await cold.checker._first.ended()
    await until(lambda: cold.checker._first.pid is None)
    await until(lambda: not [*cold.cache.glob("resident.*/")])


async def test_its_process_goes_when_it_has_answered(cold: TypeProject, room: None) -> None:
    await ask(cold, "shop.py", BAD)
    await until(lambda: cold.checker._first.pid is None)
    await until(lambda: not cold.checker._engine.needs_start)
    assert len(cold.checker.pids) == 1


@pytest.mark.parametrize("told", [BAD, GOOD], ids=["the same", "another"])
async def test_what_was_told_before_is_answered_if_it_is_the_same(cold: TypeProject, told: str) -> None:
    await spawning.begin(FAR)
    (early,) = (one.process.pid for one in spawning._begun.values())
    spawning.tell(FAR, Glance(Plain(cold.checker._setup, {"shop.py": told}, alone=True)))
    cold.checker.warm()
    await until(lambda: cold.checker._first.pid == early)
    assert await ask(cold, "shop.py", BAD) == ["1 assignment"]
    assert cold.checker._first._child.starts == (1 if told == BAD else 2)


async def test_who_waits_while_it_is_stopped_is_told_so(cold: TypeProject, room: None) -> None:
    cold.texts["shop.py"] = BAD
    asked = asyncio.ensure_future(cold.checker.update({"shop.py": BAD}))
    await until(lambda: cold.checker._first._starting and cold.checker._first.pid)
    await cold.checker.stop()
    cold.see(await asked)
    assert "stopped" in cold.shown["shop.py"].reason
    assert cold.checker.pids == []
