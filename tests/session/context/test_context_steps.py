"""Many files are read with a second process, and whatever becomes of it all of them are in the index."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateline.context.values import Question
from gateline.model import Document
from gateline.session.context import cutter as context_cutter
from gateline.session.context.cutter import Cutter
from gateline.session.context.retriever import Retrieval
from gateline.session.context.setup import retrieval_of
from gateline.session.context.steps import AT_ONCE, Steps

COUNT = 8 * AT_ONCE


@pytest.fixture
def crowd(tmp_path: Path) -> Iterator[Retrieval]:
    for number in range(COUNT):
        (tmp_path / f"a{number:04}.py").write_text(f"def grow_{number}(): ...\n")
    (tmp_path / "spoilt.py").write_bytes(b"\xff\xfe not a text")
    yield retrieval_of(tmp_path, {}, tmp_path.parent / "cache")


def found(retrieval: Retrieval, words: str) -> str:
    return retrieval.search(Question(words), 1000).passages[0].name


def done(steps: Steps) -> None:
    before = steps.left
    while before:
        steps.step()
        assert steps.left < before
        before = steps.left
    assert steps._cutter is None


def test_all_are_read_by_both(crowd: Retrieval, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(Cutter, "is_ready", lambda _: True)
    monkeypatch.setattr(crowd, "update", lambda paths, update=crowd.update: update(read_by(paths, read)))
    done(Steps(crowd, crowd.look()))
    assert len(read) < COUNT / 2, "most were cut by the second process"
    assert set(crowd._index.files) == {f"a{number:04}.py" for number in range(COUNT)}
    assert found(crowd, "grow 401") == "grow_401"


def test_nobody_waits_for_the_second_process(crowd: Retrieval, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cutter, "is_ready", lambda _: False)
    monkeypatch.setattr(Cutter, "next", lambda _: pytest.fail("waited for"))
    done(Steps(crowd, crowd.look()))
    assert found(crowd, "grow 401") == "grow_401"


def read_by(paths: Iterator[str], read: list[str]) -> list[str]:
    asked = list(paths)
    read.extend(asked)
    return asked


def test_without_the_second_process_the_first_goes_on(crowd: Retrieval) -> None:
    steps = Steps(crowd, crowd.look())
    assert isinstance(steps._cutter, Cutter)
    steps._cutter._process.kill()
    done(steps)
    assert found(crowd, "grow 401") == "grow_401"


def test_few_files_need_no_second_process(crowd: Retrieval) -> None:
    steps = Steps(crowd, crowd.look()[:AT_ONCE])
    assert steps.are_few and steps._cutter is None
    done(steps)


def test_what_is_open_or_was_written_meanwhile_is_not_replaced_by_what_was_cut_before(
    crowd: Retrieval,
) -> None:
    stale = crowd.look()
    steps = Steps(crowd, stale)
    for _ in range(4):
        steps.step()
    opened, written = stale[-2:]
    crowd.open(Document(opened, "def opened(): ...\n"))
    (crowd.files.root / written).write_text("def written(): ...\n")
    crowd.update([written])
    steps.heard([opened, written])
    done(steps)
    assert crowd._index.files[opened].digest == Document(opened, "def opened(): ...\n").digest
    assert crowd._index.files[written].digest == Document(written, "def written(): ...\n").digest


def test_what_is_not_waited_for_ends(crowd: Retrieval) -> None:
    steps = Steps(crowd, crowd.look())
    assert steps._cutter is not None
    process = steps._cutter._process
    steps.close()
    assert process.returncode is not None
    assert steps.left == 0


MANY = [[f"{'long/' * 20}{number}.py" for number in range(2_000)]]
"""Paths of which a pipe does not hold the list."""


def scripted(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """The second process does something else."""
    monkeypatch.setattr(context_cutter, "command_of", lambda _: [sys.executable, "-c", code])


@pytest.mark.timeout(20)
def test_to_begin_does_not_wait_until_the_second_process_reads(
    crowd: Retrieval, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted(monkeypatch, "import time; time.sleep(60)")
    cutter = Cutter(crowd.files, MANY)
    assert cutter._process.poll() is None
    cutter.close()
    assert cutter._process.returncode is not None


def test_a_list_that_no_pipe_holds_is_cut(crowd: Retrieval) -> None:
    cutter = Cutter(crowd.files, [["a0001.py"], *MANY])
    first, others = cutter.next(), cutter.next()
    cutter.close()
    assert first is not None and others is not None
    assert [(path, made is not None) for path, made, _ in first] == [("a0001.py", True)]
    assert len(others) == len(MANY[0])


def test_a_second_process_that_fails_is_heard_and_waited_for(
    crowd: Retrieval, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    scripted(monkeypatch, "raise SystemExit('no room for it')")
    cutter = Cutter(crowd.files, MANY)
    assert cutter.next() is None
    cutter.close()
    assert cutter._process.returncode is not None and not cutter._asking.is_alive()
    assert "no room for it" in capfd.readouterr().err


def test_a_second_process_that_fails_is_told_once(
    crowd: Retrieval, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scripted(monkeypatch, "")
    monkeypatch.setattr(Cutter, "is_ready", lambda _: True)
    done(Steps(crowd, crowd.look()))
    assert [record.name for record in caplog.records] == [context_cutter.__name__]
    assert found(crowd, "grow 401") == "grow_401"
