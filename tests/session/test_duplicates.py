"""The index of clones of a whole workspace, in a worker that may end at any moment."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from types import MappingProxyType

import pytest
import pytest_asyncio

from gateline.model import Change, Dimension, Document, FileChange, FileStatus, State
from gateline.services.child import ChildTimeoutError
from gateline.session.judge.duplicates import Duplicates
from gateline.session.judge.engine import Engine
from gateline.session.types.services import Texts
from gateline.session.workspace.changes import Collector
from gateline.session.workspace.dependents import Surroundings
from gateline.session.workspace.imports import Imports

BODY = """    out = []
    for row in rows:
        if row.ok and row.size > 3:
            out.append((row.name, row.size * 2, row.place))
        elif row.late:
            out.append((row.name, row.size, None))
    return sorted(out)
"""
COPIED = Document("late.py", f"def late(rows):\n{BODY}")
CHANGE = Change("base", "base", (FileChange("late.py", FileStatus.ADDED, None, COPIED),))
_SIZE = 100_000


@pytest_asyncio.fixture
async def duplicates(tmp_path: Path) -> AsyncIterator[Duplicates]:
    (tmp_path / "early.py").write_text(f"def early(rows):\n{BODY}")
    (tmp_path / "other.py").write_text("total = 1\n")
    collector = Collector(tmp_path, None, _SIZE, ())
    engine = Engine({}, {})
    made = Duplicates(engine, collector, Surroundings(collector, Imports(tmp_path, _SIZE)))
    yield made
    await engine.stop()


async def messages(duplicates: Duplicates, around: Texts = MappingProxyType({})) -> list[str]:
    report = (await duplicates.of_change(CHANGE, around))["late.py"]
    return [finding.message for finding in report.findings]


async def test_a_copy_of_a_file_that_nobody_opened_is_found(duplicates: Duplicates) -> None:
    assert await messages(duplicates) == ["6 duplicated lines, also at early.py:2"]


async def test_after_a_worker_that_died_all_files_are_taken_in_again(duplicates: Duplicates) -> None:
    before = await messages(duplicates)
    (pid,) = duplicates.engine.pids
    os.kill(pid, signal.SIGKILL)
    while duplicates.engine.pids:
        await asyncio.sleep(0.01)
    assert await messages(duplicates) == before


def typed(path: str) -> Change:
    """A change that is in an editor's buffer alone."""
    return Change("base", "base", (FileChange(path, FileStatus.ADDED, None, Document(path, COPIED.text)),))


async def test_what_left_the_change_is_not_found_any_more(duplicates: Duplicates) -> None:
    (duplicates.collector.root / "early.py").write_text("total = 2\n")
    assert (await duplicates.of_change(typed("other.py"), {}))["other.py"].findings == ()
    assert await messages(duplicates) == []


@pytest.mark.parametrize("gone", [True, False])
async def test_a_file_that_was_written_or_deleted_is_read_again(duplicates: Duplicates, gone: bool) -> None:
    assert len(await messages(duplicates)) == 1
    early = duplicates.collector.root / "early.py"
    early.unlink() if gone else early.write_text("total = 2\n")
    assert await messages(duplicates) == []


async def test_an_open_document_counts_where_its_file_was_moved_away(duplicates: Duplicates) -> None:
    (duplicates.collector.root / "early.py").rename(duplicates.collector.root / "late.py")
    opened = {"early.py": f"def early(rows):\n{BODY}"}
    assert await messages(duplicates, opened) == ["6 duplicated lines, also at early.py:2"]
    assert await messages(duplicates) == []  # closed


async def test_an_open_document_counts_in_the_place_of_its_file(duplicates: Duplicates) -> None:
    assert await messages(duplicates, {"early.py": "total = 2\n"}) == []
    assert await messages(duplicates, {"early.py": None}) == []
    assert len(await messages(duplicates)) == 1


async def test_of_files_that_stay_nothing_is_read_again(
    duplicates: Duplicates, monkeypatch: pytest.MonkeyPatch
) -> None:
    await messages(duplicates)
    asked: list[str] = []
    usual = duplicates.engine.index

    async def index(texts: Iterable[tuple[str, str | None]]) -> None:
        rows = list(texts)
        asked.extend(path for path, _ in rows)
        await usual(rows)

    monkeypatch.setattr(duplicates.engine, "index", index)
    assert len(await messages(duplicates)) == 1
    assert asked == []


async def test_a_worker_that_is_too_slow_is_said_and_asked_again(
    duplicates: Duplicates, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slow(texts: object) -> None:
        raise ChildTimeoutError("the worker did not answer within 30 s")

    with monkeypatch.context() as patch:
        patch.setattr(duplicates.engine, "index", slow)
        report = (await duplicates.of_change(CHANGE, {}))["late.py"]
    assert (report.dimension, report.state) == (Dimension.DUPLICATION, State.FAILED)
    assert report.reason == "the worker did not answer within 30 s"
    assert len(await messages(duplicates)) == 1
