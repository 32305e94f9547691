"""The book in its own process, and on disk."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from runner_project import MakeRunner

from gateline.services.tests.book import TestBook
from gateline.services.tests.book_file import load, save
from gateline.testing.book import Book
from gateline.testing.outline import Outline
from gateline.testing.result import Ending, Result
from gateline.testing.trace import Executed, Trace

pytestmark = pytest.mark.timeout(60)
LIB = """\
LIMIT = 1


def one(n):
    if n:
        return 1
    return 0


def two():
    return 2
"""
TESTS = """\
import lib


def test_one():
    assert lib.one(1) == 1


def test_two():
    assert lib.two() == 2
"""
PROJECT = {"lib.py": LIB, "test_lib.py": TESTS}
FILES = tuple(PROJECT)


async def test_it_selects_and_knows_what_is_covered_also_after_it_was_killed(
    make: MakeRunner, tmp_path: Path
) -> None:
    project = make(PROJECT)
    book = TestBook(project.root, tmp_path / "book")
    try:
        run = await project.answer(arcs=["lib.py"])
        assert project.runner.collection is not None
        await book.collected(project.runner.collection, {})
        await book.ran(run, {})
        edit = {"lib.py": PROJECT["lib.py"].replace("return 2", "return 3")}
        chosen = await book.select(edit, FILES, ["lib.py"])
        assert [(one.test, str(one.reasons[0])) for one in chosen] == [
            ("test_lib.py::test_two", "executes two in lib.py")
        ]
        outlines = await project.runner.outlines(edit)
        outline = outlines["lib.py"]
        assert isinstance(outline, Outline)
        asked = {"lib.py": (outline, frozenset(range(11)))}
        covered = (await book.covered(edit, FILES, ["lib.py"], asked))["lib.py"]
        assert (covered.executed, covered.missed, covered.stale) == ({0, 3, 4, 5, 9}, set(), {6, 10})
        again = await project.answer(*(one.test for one in chosen), overlay=edit, arcs=["lib.py"])
        await book.ran(again, edit)
        assert await book.select(edit, FILES, ["lib.py"]) != (), "it failed, and is chosen for that"
        covered = (await book.covered(edit, FILES, ["lib.py"], asked))["lib.py"]
        assert (covered.executed, covered.missed) == ({0, 3, 4, 5, 9, 10}, {6})
        assert [way.missing for way in covered.untaken] == [
            "line 5 didn't jump to line 7 because the condition on line 5 was always true"
        ]
        os.kill(book.pids[0], signal.SIGKILL)
        with pytest.raises(Exception, match="signal 9"):
            await book.select(edit, FILES, ["lib.py"])
        # What was not written yet is measured again.
        assert len(await book.select(edit, FILES, ["lib.py"])) == 2
        await book.ran(run, {})
    finally:
        await book.stop()
    reopened = TestBook(project.root, tmp_path / "book")
    try:
        await reopened.collected(project.runner.collection, {})
        assert await reopened.select({}, FILES, []) == ()
        assert len(await reopened.select(edit, FILES, ["lib.py"])) == 1
    finally:
        await reopened.stop()


def filled() -> Book:
    book = Book()
    contents = {"lib.py": "d1", "data.txt": "d2"}
    executed = Executed("d1", 0b1011, frozenset({(-1, 0), (0, 1)}))
    traces = [
        Trace("test_a", {"lib.py": executed}, frozenset({"data.txt"}), programs=True),
        Trace("test_b", {"lib.py": Executed("d1", 1)}),
    ]
    results = [
        Result("test_a", Ending.PASSED, 0.5, 7),
        Result("test_b", Ending.FAILED),
        Result("test_c", Ending.CRASHED),
    ]
    book.ran(results, traces, contents, ("test_b", 0.25))
    book.known.restore(list(book.known), {("lib.py", "d1"): "x = 1\n"})
    return book


def test_a_book_is_the_same_after_it_was_kept(tmp_path: Path) -> None:
    before, after = filled(), Book()
    save(before, tmp_path / "below" / "book")
    load(after, tmp_path / "below" / "book")
    assert {one.trace.test: one for one in after.known} == {one.trace.test: one for one in before.known}
    assert (after.known.texts, after.results) == (before.known.texts, before.results)
    assert after.openings == before.openings == {"test_b": 0.25}
    assert len({id(one.contents) for one in after.known}) == 1, "as before, one object for all"


@pytest.mark.parametrize("data", [b"", b"nonsense", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_broken_file_is_begun_anew(tmp_path: Path, data: bytes, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "book"
    file.write_bytes(data)
    book = Book()
    load(book, file)
    assert list(book.known) == [] and "measured again" in caplog.text
    save(filled(), file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    load(book, file)
    assert list(book.known) == [] == list(book.results)


def test_a_folder_that_cannot_be_written_is_only_logged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("x")
    save(filled(), tmp_path / "file" / "book")
    assert "could not be kept" in caplog.text
