"""Tests in an editor: only after consent, only when texts differ, and never shown as newer than they are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from gateline.model import Change, Dimension, Document, FileChange, FileStatus, Report, State
from gateline.services.tests.run import Collection, Run
from gateline.session.tests.consent import Answer, Consents
from gateline.session.tests.runs import TestRuns
from gateline.session.tests.testing import NO_TESTS, Tested, Tests, Wanted, Which
from gateline.testing.outline import Outline
from gateline.testing.result import Ending, Item, Result

COMMAND = ("python", "-m", "pytest")
ITEM = Item("test_cart.py::test_add", "test_cart.py", 0, "test_add")


class Service:
    """Knows one test, which fails while the text says so."""

    def __init__(self) -> None:
        self.runs: list[tuple[Sequence[str] | None, Mapping[str, str | None]]] = []
        self.collected = False

    @property
    def collection(self) -> Collection | None:
        return Collection((ITEM,)) if self.collected else None

    async def run(
        self,
        ids: Sequence[str] | None,
        overlay: Mapping[str, str | None],
        on_result: Callable[[Result], None] | None = None,
        **_: object,
    ) -> Run:
        self.runs.append((ids, overlay))
        bad = any("bug" in (text or "") for text in overlay.values())
        result = Result(ITEM.id, Ending.FAILED if bad else Ending.PASSED)
        if on_result is not None:
            on_result(result)
        return Run((result,))

    async def discover(self, overlay: Mapping[str, str | None], **_: object) -> Run:
        self.collected = True
        return Run()

    async def outlines(self, texts: Mapping[str, str]) -> Mapping[str, Outline | None]:
        return dict.fromkeys(texts)

    async def interrupt(self) -> None: ...

    async def stop(self) -> None: ...


class Desk:
    def __init__(self, folder: Path, answer: Answer | None, *, exist: bool = True) -> None:
        self.service = Service()
        self.questions: list[Sequence[str]] = []
        self.answer = answer
        self.answers = asyncio.Event()
        self.answers.set()
        self.consents = Consents(folder)
        self.exist = exist
        self.runs = self.reopened()

    def reopened(self) -> TestRuns:
        """The workspace, opened once more."""
        tests = Tests(self.service, "", lambda: self.exist)
        return TestRuns(tests, Path("/shop"), COMMAND, self.ask, self.consents)

    async def ask(self, command: Sequence[str]) -> Answer | None:
        self.questions.append(command)
        await self.answers.wait()
        return self.answer

    async def edit(self, text: str) -> bool:
        return await self.runs.run(change(text), {}, Wanted(Which.AFFECTED, again=False))


def change(text: str) -> Change:
    row = FileChange.between(Document("cart.py", "base"), Document("cart.py", text))
    return Change("0" * 40, "HEAD", (row,))


def failing(tested: Tested) -> list[str]:
    return [f.code for reports in tested.current.values() for r in reports for f in r.findings]


def coverage(tested: Tested) -> tuple[State, str]:
    (report,) = (r for rs in tested.current.values() for r in rs if r.dimension is Dimension.COVERAGE)
    return report.state, report.reason


async def test_nothing_is_run_before_anybody_agreed(tmp_path: Path) -> None:
    desk = Desk(tmp_path, None)
    assert not await desk.edit("bug")
    assert not await desk.runs.ask()
    assert not await desk.edit("bug")
    assert desk.service.runs == []
    assert coverage(await desk.runs.known(change("bug"))) == (
        State.NO_DATA,
        "consent to run tests here was not given yet",
    )


async def test_the_question_has_the_command_and_comes_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path, None)
    for _ in range(3):
        await desk.runs.ask()
    assert desk.questions == [COMMAND]


async def test_who_does_not_answer_in_time_is_asked_no_more_and_may_still_answer(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOWED)
    desk.answers.clear()
    assert not await desk.runs.ask(patience=0)
    assert not await desk.runs.ask(patience=0)
    assert not await desk.edit("bug")
    desk.answers.set()
    while not await desk.runs.allowed():
        await asyncio.sleep(0)
    assert await desk.edit("bug")
    assert desk.questions == [COMMAND]


async def test_a_yes_holds_for_the_next_time(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOWED)
    assert await desk.runs.ask()
    desk.runs = desk.reopened()
    assert await desk.edit("bug")
    assert desk.questions == [COMMAND]


async def test_never_holds_for_the_next_time_and_is_said(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.NEVER)
    assert not await desk.runs.ask()
    desk.runs = desk.reopened()
    assert not await desk.runs.ask()
    assert desk.questions == [COMMAND]
    assert coverage(await desk.runs.known(change("bug")))[1] == "running tests was refused for this workspace"


async def test_what_was_said_can_be_taken_back(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOWED)
    await desk.runs.ask()
    await desk.runs.answered(None)
    assert not await desk.edit("bug")
    await desk.runs.ask()
    assert len(desk.questions) == 2


async def test_without_tests_nobody_is_asked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, Answer.ALLOWED, exist=False)
    assert not await desk.runs.ask()
    assert desk.questions == []
    assert coverage(await desk.runs.known(change("bug"))) == (State.NO_DATA, NO_TESTS)


@pytest.fixture
async def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path, Answer.ALLOWED)
    await made.runs.ask()
    return made


async def test_the_same_texts_are_not_run_again(desk: Desk) -> None:
    assert await desk.edit("fine")
    assert not await desk.edit("fine")
    assert len(desk.service.runs) == 1
    assert await desk.edit("fine, too")


async def test_what_was_said_of_a_change_goes_with_it(desk: Desk) -> None:
    assert await desk.edit("bug")
    assert failing(await desk.runs.known(change("bug")))
    nothing = Change("0" * 40, "HEAD", ())
    assert await desk.runs.run(nothing, {}, Wanted(Which.AFFECTED, again=False))
    assert not await desk.runs.run(nothing, {}, Wanted(Which.AFFECTED, again=False))
    assert desk.runs.last is None
    assert not failing(await desk.runs.known(nothing))


async def test_no_change_runs_nothing(desk: Desk) -> None:
    assert not await desk.runs.run(Change("0" * 40, "HEAD", ()), {}, Wanted(Which.AFFECTED, again=False))


async def test_after_an_edit_a_failing_test_stays_failing_until_it_was_run(desk: Desk) -> None:
    await desk.edit("bug")
    assert failing(await desk.runs.known(change("bug"))) == ["GTL201"]
    assert failing(await desk.runs.known(change("bug?"))) == ["GTL201"]
    await desk.edit("fine")
    assert failing(await desk.runs.known(change("fine"))) == []


async def test_a_run_speaks_of_its_own_texts_and_of_a_part_of_them(desk: Desk) -> None:
    async def state(some: Change, whole: Change | None = None) -> tuple[State, str]:
        about = (await desk.runs.known(some, whole)).about
        assert about is not None
        return about.state, about.reason

    await desk.edit("fine")
    assert await state(change("fine")) == (State.MEASURED, "")
    assert await state(Change("0" * 40, "HEAD"), whole=change("fine")) == (State.MEASURED, "")
    assert await state(change("newer")) == (State.STALE, "files changed since tests ran")
    await desk.runs.answered(None)
    assert await state(change("fine")) == (State.MEASURED, "")
    assert await state(change("newer")) == (State.NO_DATA, "consent to run tests here was not given yet")


async def test_of_a_file_without_a_text_the_disk_tells_whether_it_is_the_same(
    desk: Desk, tmp_path: Path
) -> None:
    logo = tmp_path / "logo.png"
    row = FileChange(logo.as_posix(), FileStatus.MODIFIED, None, None, skipped="binary")
    binary = Change("0" * 40, "HEAD", (), others=(row,))
    logo.write_bytes(b"\0one")
    await desk.runs.run(binary, {}, Wanted(Which.AFFECTED, again=False))
    assert not await desk.runs.run(binary, {}, Wanted(Which.AFFECTED, again=False))
    logo.write_bytes(b"\0another")
    about = (await desk.runs.known(binary)).about
    assert about is not None and about.state is State.STALE
    assert await desk.runs.run(binary, {}, Wanted(Which.AFFECTED, again=False))


async def test_coverage_of_a_newer_text_is_asked_for_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    async def known(_: object, change: Change, around: object) -> tuple[dict[str, Report], dict[str, None]]:
        asked.append(change)
        return {"cart.py": Report("coverage", Dimension.COVERAGE, State.STALE, "older")}, {}

    await desk.edit("bug")
    monkeypatch.setattr(Tests, "coverage", known)
    for _ in range(2):
        edited = await desk.runs.known(change("bug, edited"))
    assert coverage(edited) == (State.STALE, "older")
    assert failing(edited) == ["GTL201"]
    assert len(asked) == 1
    assert coverage(await desk.runs.known(change("bug")))[0] is State.NO_DATA


async def test_a_run_that_was_ended_early_is_run_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Service.run

    async def ended(*given: object, **_: object) -> Run:
        return Run(replaced=True)

    monkeypatch.setattr(Service, "run", ended)
    await desk.edit("fine")
    monkeypatch.setattr(Service, "run", run)
    assert await desk.edit("fine")
    assert not await desk.edit("fine")


async def test_a_test_that_somebody_named_is_not_all_that_is_affected(desk: Desk) -> None:
    assert await desk.runs.run(change("fine"), {}, Wanted(Which.AFFECTED, only=(ITEM.id,)))
    assert await desk.edit("fine")
    assert not await desk.edit("fine")
