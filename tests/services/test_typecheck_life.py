"""The type checker when its processes end, when many ask at once, and with damaged caches."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from type_project import Make, TypeProject, far_sides

from gateline.model import digest_of
from gateline.services import typecheck
from gateline.services.types.checked import Checked
from gateline.services.types.resident import renewal

pytestmark = [pytest.mark.deep, pytest.mark.timeout(60)]

GOOD = "number: int = 1\n"
BAD = "number: int = ''\n"
TAKES_INT = "def take(number: int) -> None: ...\n"
TAKES_STR = "def take(number: str) -> None: ...\n"
GIVES_INT = "from callee import take\n\ntake(1)\n"


async def under_way(shop: TypeProject, texts: Mapping[str, str]) -> asyncio.Future[Checked]:
    """A question that an engine which cannot answer has been sent, or will be at once."""
    (pid,) = shop.checker.pids
    os.kill(pid, signal.SIGSTOP)
    asked = asyncio.ensure_future(shop.type(texts))
    await until(lambda: shop.checker._turn.locked())
    return asked


async def until(holds: Callable[[], bool]) -> None:
    while not holds():
        await asyncio.sleep(0.01)


def kill(*pids: int) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


# Processes that end


async def test_an_engine_killed_while_it_is_asked_comes_back(project: Make) -> None:
    shop = project()
    await shop.type({"callee.py": TAKES_INT, "caller.py": GIVES_INT})
    dead = shop.checker.pids
    asked = await under_way(shop, {"callee.py": TAKES_STR})
    kill(*dead)
    await asked
    assert shop.errors("caller.py") == ["3 arg-type"]
    assert not set(dead) & set(shop.checker.pids)


async def test_an_engine_killed_while_idle_comes_back(project: Make) -> None:
    shop = project()
    await shop.type({"shop.py": BAD})
    for number in range(3):
        kill(*shop.checker.pids)
        await shop.type({"shop.py": "\n" * number + BAD})
        assert shop.errors("shop.py") == [f"{number + 1} assignment"]


async def test_stopping_in_mid_edit_leaves_no_process(project: Make) -> None:
    shop = project()
    await shop.type({"shop.py": BAD})
    asked = await under_way(shop, {"shop.py": GOOD})
    await shop.checker.stop()
    await asked
    assert "stopped" in shop.shown["shop.py"].reason
    assert far_sides() == set()


@pytest.fixture
def renewing(project: Make, monkeypatch: pytest.MonkeyPatch) -> TypeProject:
    """Each answer is over the memory cap."""
    monkeypatch.setattr(renewal, "_GROWTH", 0)
    return project(cap=1)


async def test_renewing_at_the_memory_cap_keeps_the_findings(renewing: TypeProject) -> None:
    shop = renewing
    await shop.type({"callee.py": TAKES_STR, "caller.py": GIVES_INT})
    for number in range(2):
        before = set(shop.checker.pids)
        await shop.type({"callee.py": TAKES_STR + "\n" * number})
        assert shop.errors("caller.py") == ["3 arg-type"]
        await until(lambda before=before: before.isdisjoint(shop.checker.pids))
        await until(lambda: shop.checker._succession.spare is None)
        await shop.type({"callee.py": TAKES_INT})
        assert shop.errors("caller.py") == []


async def test_what_is_written_while_the_engine_is_renewed_counts(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renewal, "_GROWTH", 0)
    shop = project(cap=1)
    shop.write("callee.py", TAKES_INT)
    await shop.type({"caller.py": GIVES_INT})
    await until(lambda: shop.checker._succession.spare is not None)
    shop.write("callee.py", TAKES_STR)
    await shop.checker.files_changed(["callee.py"])
    await shop.type({"caller.py": "\n" + GIVES_INT})
    assert shop.errors("caller.py") == ["4 arg-type"]
    await until(lambda: shop.checker._succession.spare is None)
    await shop.type({"caller.py": "\n\n" + GIVES_INT})
    assert shop.errors("caller.py") == ["5 arg-type"]


# Many at once


async def test_of_racing_updates_the_newest_counts(project: Make) -> None:
    shop = project()
    versions = ["\n" * number + BAD for number in range(30)]
    given: list[Checked] = []

    async def ask(text: str) -> None:
        given.append(await shop.type({"shop.py": text}))

    await asyncio.gather(*map(ask, versions))
    assert len(given) == len(versions)
    spoken_of = [c.digests["shop.py"] for c in given if c.digests]
    order = [versions.index(next(v for v in versions if digest_of(v) == d)) for d in spoken_of]
    assert order == sorted(order)
    assert order[-1] == len(versions) - 1
    assert shop.errors("shop.py") == [f"{len(versions)} assignment"]


async def test_who_stops_waiting_stops_nobody(project: Make) -> None:
    shop = project()
    await shop.type({"shop.py": GOOD})
    pids = shop.checker.pids
    first = await under_way(shop, {"shop.py": BAD})
    first.cancel()
    os.kill(pids[0], signal.SIGCONT)
    await shop.type({"other.py": BAD})
    await shop.type({"shop.py": BAD + "\n"})
    assert shop.errors("shop.py") == shop.errors("other.py") == ["1 assignment"]
    assert shop.checker.pids == pids


async def test_two_checkers_of_one_workspace_do_not_mix_their_texts(project: Make) -> None:
    """mypy takes two texts of one size and second for the same: each process has its own of equal length."""
    one, two = project(), project()
    assert len(TAKES_INT) == len(TAKES_STR)
    one.write("callee.py", TAKES_INT)
    for text, other in [(TAKES_INT, TAKES_STR), (TAKES_STR, TAKES_INT)] * 2:
        await asyncio.gather(
            one.type({"callee.py": text, "caller.py": GIVES_INT}),
            two.type({"callee.py": other, "caller.py": GIVES_INT}),
        )
        for shop, given in ((one, text), (two, other)):
            expected = [] if given == TAKES_INT else ["3 arg-type"]
            assert shop.errors("caller.py") == expected == await shop.plain("caller.py")


# Caches that are not as they should be


async def test_a_cache_that_cannot_be_kept_is_made_elsewhere(project: Make, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    shop = project(cache=tmp_path / "file" / "cache")
    await shop.type({"shop.py": BAD})
    await until(lambda: len(shop.checker.pids) == 1)
    await shop.type({"shop.py": "\n" + BAD})
    assert shop.errors("shop.py") == ["2 assignment"] == await shop.plain("shop.py")


@pytest.mark.parametrize("junk", [b"", b"not a database" * 100], ids=["empty", "junk"])
async def test_a_cache_that_is_damaged_is_made_anew(project: Make, tmp_path: Path, junk: bytes) -> None:
    for file in (tmp_path / "cache").rglob("*"):
        if file.is_file():
            file.write_bytes(junk)
    shop = project()
    await shop.type({"shop.py": BAD})
    assert shop.errors("shop.py") == ["1 assignment"] == await shop.plain("shop.py")


async def test_a_process_that_nobody_asks_is_ended_and_comes_back(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typecheck, "UNASKED", 0.2)
    await project().type({"shop.py": GOOD})
    shop = project()
    assert shop.checker._cache.is_primed
    shop.checker.warm()
    await until(lambda: bool(shop.checker.pids))
    await until(lambda: not shop.checker.pids)
    await shop.type({"shop.py": BAD})
    assert shop.errors("shop.py") == ["1 assignment"]
