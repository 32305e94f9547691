"""What is shown and remembered of a type checker's answers, with a checker that answers as told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence

import pytest

from gateline.model import (
    Change,
    Dimension,
    Document,
    FileChange,
    FileStatus,
    Finding,
    Report,
    Span,
    State,
    Weight,
)
from gateline.services.types.checked import Checked
from gateline.session.analysis import Analysis
from gateline.session.board import Board
from gateline.session.changes import overlay
from gateline.session.checking import TypeChecking
from gateline.session.documents import Documents
from gateline.session.engine import Engine
from gateline.session.stages import Stages
from gateline.session.types import Types

GOOD, BAD, WORSE = "x = 1\n", "x = ''\n", "x = ''\ny = ''\n"
Texts = Mapping[str, str | None]


def report(path: str, text: str, *, by: str = "mypy") -> Report:
    """One finding on each line that assigns an empty text."""
    found = (
        Finding(
            code="GTL110",
            path=path,
            span=Span.of(number, 0, number, len(line)),
            message="Empty",
            dimension=Dimension.ERRORS,
            weight=Weight.COUNTS,
            origin=f"{by}: empty",
            line_text=line,
        )
        for number, line in enumerate(text.splitlines())
        if line.endswith("''")
    )
    return Report("types", Dimension.ERRORS, findings=tuple(found))


class Service:
    """Answers when its gate is open. A text with `(` does not parse: nothing is said of it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []
        self.plainly: list[dict[str, str | None]] = []
        self.closed: list[str] = []
        self.files: list[str] = []
        self.answers = asyncio.Semaphore(1000)
        """How many may be given."""
        self.elsewhere: dict[str, str] = {}
        """Other texts that each answer speaks of as well."""
        self.plain_report: Callable[[str, str], Report] = report
        self.fault: Exception | None = None
        self.previewed: list[str] = []
        self.can_preview = False

    async def preview(self, path: str, text: str) -> Checked:
        self.previewed.append(text)
        if not self.can_preview:
            return Checked()
        return Checked({path: report(path, text)}, {path: Document(path, text).digest})

    async def update(self, texts: Texts) -> Checked:
        ((path, text),) = texts.items()
        assert text is not None
        self.asked.append((path, text))
        await self.answers.acquire()
        if self.fault is not None:
            raise self.fault
        said = {p: t for p, t in {**self.elsewhere, path: text}.items() if "(" not in t}
        reports = {p: report(p, t) for p, t in said.items()}
        return Checked(reports, {p: Document(p, t).digest for p, t in said.items()})

    async def plain(self, texts: Texts) -> Mapping[str, Report]:
        self.plainly.append(dict(texts))
        await self.answers.acquire()
        return {path: self.plain_report(path, text) for path, text in texts.items() if text is not None}

    def hold(self) -> None:
        """Give no answer until `answers` is released."""
        self.answers = asyncio.Semaphore(0)

    def go_on(self) -> None:
        """Give all answers again."""
        for _ in range(100):
            self.answers.release()

    async def files_changed(self, paths: Sequence[str]) -> None:
        self.files += paths

    async def close(self, path: str) -> None:
        self.closed.append(path)

    async def stop(self) -> None: ...


class Disk:
    """The part of a worktree that type checking asks: what differs from the base."""

    def __init__(self) -> None:
        self.rows: dict[str, FileChange] = {}

    def write(self, path: str, text: str, base: str | None = None) -> None:
        before = None if base is None else Document(path, base)
        status = FileStatus.ADDED if before is None else FileStatus.MODIFIED
        self.rows[path] = FileChange(path, status, before, Document(path, text))

    @property
    def disk(self) -> Change:
        return Change("base", "base", tuple(self.rows.values()))

    def change(self, bases: Mapping[str, Document], buffers: Mapping[str, Document]) -> Change:
        return overlay(self.disk, bases, buffers)


class HandClock:
    """Who sleeps wakes when a test says so."""

    def __init__(self) -> None:
        self.sleepers: list[asyncio.Future[None]] = []

    def time(self) -> float:
        return 0.0

    async def sleep(self, seconds: float) -> None:
        self.sleepers.append(asyncio.get_running_loop().create_future())
        await self.sleepers[-1]

    def wake(self) -> None:
        for sleeper in self.sleepers:
            sleeper.set_result(None)
        self.sleepers.clear()


class Desk:
    """Open documents with type checking, as a session has them."""

    def __init__(self) -> None:
        self.service, self.disk = Service(), Disk()
        self.documents, self.board, self.stages = Documents(), Board(), Stages()
        self.shows: list[str] = []
        analysis = Analysis(Engine({}, {}), self.documents, self.board, self.stages, self.shows.append)
        self.analysis = analysis
        self.clock = HandClock()
        self.checking = TypeChecking(Types(self.service), self.disk, self.documents, analysis, self.clock)  # type: ignore[arg-type]

    def open(self, path: str, text: str = GOOD, base: str | None = GOOD) -> Document:
        document = self.documents.open(path, text, 1)
        self.documents.set_bases({path: None if base is None else Document(path, base)})
        return document

    def type(self, path: str, text: str) -> Document:
        version = (self.documents.snapshot.documents[path].version or 0) + 1
        document = self.documents.change(path, [(None, text)], version)
        assert document is not None
        self.board.edited(path, [(None, text)])
        return document

    async def known(self) -> dict[str, list[str]]:
        """The new findings that a verdict would be made of."""
        change = self.disk.change(self.documents.bases, self.documents.buffers)
        typed = await self.checking.known(change)
        return {path: lines(made.findings) for path, made in typed.current.items()}

    def shown(self, path: str) -> list[str]:
        return [f"{line} {f.novelty}" for f in self.board.merged(path) for line in lines((f,))]

    def is_done(self, document: Document) -> bool:
        return self.stages._done.get((document.path, "types"), 0) >= (document.version or 0)


def lines(findings: Sequence[Finding]) -> list[str]:
    return [f"{f.span.start.line + 1} {f.origin.partition(':')[0]}" for f in findings]


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.analysis.stop()


# What is shown


async def test_findings_are_told_new_from_old(desk: Desk) -> None:
    document = desk.open("a.py", WORSE, base=BAD)
    await desk.checking.check(document)
    assert desk.shown("a.py") == ["1 mypy old", "2 mypy new"]
    assert desk.is_done(document)


async def test_the_base_is_asked_about_once(desk: Desk) -> None:
    desk.open("a.py", base=BAD)
    for number in range(3):
        await desk.checking.check(desk.type("a.py", WORSE + "\n" * number))
    assert desk.service.plainly == [{"a.py": BAD}]


async def test_what_was_said_while_nothing_differed_is_the_base(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.check(desk.type("a.py", WORSE))
    assert desk.shown("a.py") == ["1 mypy old", "2 mypy new"]
    assert desk.service.plainly == []


def write(desk: Desk) -> None:
    desk.disk.write("other.py", "y = 2\n", base="y = 1\n")


def add(desk: Desk) -> None:
    desk.open("other.py", "y = 2\n", base=None)


def move(desk: Desk) -> None:
    desk.open("other.py", "y = 1\n")
    desk.documents.set_bases({"other.py": Document("old.py", "y = 1\n")})


def leave_out(desk: Desk) -> None:
    desk.open("other.py", "y = 1\n", base="y = 1\n")
    desk.disk.rows["other.py"] = FileChange("other.py", FileStatus.MODIFIED, None, None, "too large")


@pytest.mark.parametrize("differ", [write, add, move, leave_out])
async def test_what_was_said_while_something_differed_is_not_the_base(
    desk: Desk, differ: Callable[[Desk], None]
) -> None:
    differ(desk)
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.check(desk.type("a.py", WORSE))
    assert [texts["a.py"] for texts in desk.service.plainly] == [BAD]


@pytest.mark.parametrize(
    "leave", [lambda d: d.type("b.py", GOOD), lambda d: d.documents.close("b.py")], ids=["undo", "close"]
)
async def test_what_differed_and_does_no_more_is_forgotten(desk: Desk, leave: Callable[[Desk], None]) -> None:
    desk.open("untitled:1", BAD, base=None)
    desk.open("b.py", BAD)
    leave(desk)
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.check(desk.type("a.py", WORSE))
    assert desk.service.plainly == []


async def test_bases_that_were_forgotten_may_differ(desk: Desk) -> None:
    desk.open("b.py")
    desk.documents.forget_bases()
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.check(desk.type("a.py", WORSE))
    assert [texts["a.py"] for texts in desk.service.plainly] == [BAD]


async def test_an_answer_about_an_older_text_is_not_shown(desk: Desk) -> None:
    desk.open("a.py")
    desk.service.hold()
    older = desk.type("a.py", WORSE)
    checks = [asyncio.ensure_future(desk.checking.check(older))]
    await settle()
    newest = desk.type("a.py", "\n" + BAD)
    checks.append(asyncio.ensure_future(desk.checking.check(newest)))
    await settle()
    desk.service.answers.release()
    await checks[0]
    assert desk.shown("a.py") == [] and desk.shows == [] and not desk.is_done(newest)
    desk.service.go_on()
    await checks[1]
    assert desk.shown("a.py") == ["2 mypy new"]
    assert desk.is_done(older) and desk.is_done(newest)


async def test_in_a_burst_only_the_newest_text_that_waits_is_asked_about(desk: Desk) -> None:
    desk.open("a.py")
    desk.service.hold()
    typed = [desk.type("a.py", BAD + "\n" * number) for number in range(10)]
    checks = [asyncio.ensure_future(desk.checking.check(document)) for document in typed]
    await settle()
    desk.service.go_on()
    await asyncio.gather(*checks)
    assert desk.service.asked == [("a.py", typed[-1].text)]
    assert all(map(desk.is_done, typed))


async def test_what_an_edit_does_to_another_document_is_shown_there(desk: Desk) -> None:
    other = desk.open("other.py", BAD)
    desk.service.elsewhere = {"other.py": BAD, "closed.py": BAD}
    await desk.checking.check(desk.open("a.py"))
    assert desk.shown("other.py") == ["1 mypy new"]
    assert desk.is_done(other)
    assert desk.shown("closed.py") == [] and "closed.py" not in desk.shows


async def test_what_an_edit_does_to_a_document_edited_since_is_not_shown_there(desk: Desk) -> None:
    desk.open("other.py", BAD)
    desk.service.elsewhere = {"other.py": WORSE}
    await desk.checking.check(desk.open("a.py"))
    assert desk.shown("other.py") == []


@pytest.mark.parametrize("text", [GOOD, BAD, "x = (\n", ""])
async def test_each_version_has_its_types_done(desk: Desk, text: str) -> None:
    desk.open("a.py")
    for _ in range(3):
        document = desk.type("a.py", text)
        await desk.checking.check(document)
        assert desk.is_done(document)


async def test_a_version_has_its_types_done_even_when_the_service_fails(desk: Desk) -> None:
    desk.open("a.py")
    desk.service.fault = RuntimeError("a fault of ours")
    document = desk.type("a.py", BAD)
    with pytest.raises(RuntimeError):
        await desk.checking.check(document)
    assert desk.is_done(document)


async def test_without_a_service_there_is_nothing_to_wait_for(desk: Desk) -> None:
    checking = TypeChecking(Types(None), desk.disk, desk.documents, desk.analysis)  # type: ignore[arg-type]
    document = desk.open("a.py", BAD)
    await checking.check(document)
    assert desk.is_done(document) and desk.shown("a.py") == []


async def test_the_last_good_types_stay_while_a_text_does_not_parse(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    await desk.checking.check(desk.type("a.py", BAD + "(\n"))
    assert await desk.known() == {"a.py": ["1 mypy"]}


async def test_a_text_that_comes_back_is_not_asked_about_again(desk: Desk) -> None:
    document = desk.open("a.py", BAD)
    await desk.checking.check(document)
    again = desk.type("a.py", BAD)
    await desk.checking.check(again)
    assert desk.service.asked == [("a.py", BAD)]
    assert desk.is_done(again)


# What a verdict is made of


async def test_a_row_of_the_change_has_no_version_and_is_asked_about_all_the_same(desk: Desk) -> None:
    """An open document's row was once taken for an older text, and the score was 100."""
    desk.open("a.py")
    assert desk.type("a.py", BAD).version == 2
    (row,) = desk.disk.change(desk.documents.bases, desk.documents.buffers).files
    assert row.current is not None and row.current.version is None
    assert await desk.known() == {"a.py": ["1 mypy"]}
    assert desk.shown("a.py") == ["1 mypy new"], "what a verdict counts is shown"


async def test_a_verdict_does_not_ask_again_what_the_typing_asked(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    assert await desk.known() == await desk.known() == {"a.py": ["1 mypy"]}
    assert len(desk.service.asked) == 1


async def test_closed_files_of_the_change_are_asked_about(desk: Desk) -> None:
    desk.disk.write("closed.py", BAD, base=GOOD)
    assert await desk.known() == await desk.known() == {"closed.py": ["1 mypy"]}
    assert desk.service.asked == [("closed.py", BAD)]
    assert desk.shows == []


async def test_the_verdict_knows_both_sides(desk: Desk) -> None:
    desk.disk.write("closed.py", WORSE, base=BAD)
    desk.disk.write("added.py", BAD)
    typed = await desk.checking.known(desk.disk.change({}, {}))
    assert lines(typed.base["closed.py"].findings) == ["1 mypy"]
    assert desk.service.plainly == [{"closed.py": BAD, "added.py": None}], "what is new is not in the base"


async def test_no_change_is_nothing_to_ask(desk: Desk) -> None:
    desk.open("a.py")
    assert await desk.known() == {}
    assert desk.service.asked == desk.service.plainly == []


async def test_texts_of_closed_files_are_taken_back_when_the_change_has_them_no_more(desk: Desk) -> None:
    for path in ("one.py", "two.py"):
        desk.disk.write(path, BAD, base=GOOD)
    await desk.known()
    del desk.disk.rows["one.py"]
    await desk.known()
    assert desk.service.closed == ["one.py"]
    del desk.disk.rows["two.py"]
    await desk.known()
    await desk.known()
    assert desk.service.closed == ["one.py", "two.py"]


async def test_a_closed_file_that_was_opened_since_is_not_taken_back(desk: Desk) -> None:
    desk.disk.write("one.py", BAD, base=GOOD)
    await desk.known()
    desk.open("one.py")
    del desk.disk.rows["one.py"]
    await desk.known()
    assert desk.service.closed == []


async def test_a_closed_document_s_file_is_asked_about_anew(desk: Desk) -> None:
    desk.disk.write("a.py", WORSE, base=GOOD)
    await desk.checking.check(desk.open("a.py", BAD))
    desk.documents.close("a.py")
    await desk.checking.close("a.py")
    assert await desk.known() == {"a.py": ["1 mypy", "2 mypy"]}
    assert desk.service.closed == ["a.py"]
    assert desk.service.asked == [("a.py", BAD), ("a.py", WORSE)]


async def test_a_text_closed_while_it_was_checked_is_not_known_when_it_is_opened_again(desk: Desk) -> None:
    desk.service.hold()
    checking = asyncio.ensure_future(desk.checking.check(desk.open("a.py", BAD)))
    await settle()
    desk.documents.close("a.py")
    closing = asyncio.ensure_future(desk.checking.close("a.py"))
    await settle()
    desk.service.go_on()
    await asyncio.gather(checking, closing)
    assert desk.shown("a.py") == []
    await desk.checking.check(desk.open("a.py", BAD))
    assert desk.service.asked == [("a.py", BAD)] * 2, "the service was told to forget the text"
    assert desk.shown("a.py") == ["1 mypy new"]


# Reconciliation


def plain(path: str, text: str) -> Report:
    """An ordinary run that sees a second finding on the last line."""
    return report(path, f"{text}z = ''\n", by="plain")


async def test_an_ordinary_run_replaces_what_the_engine_said(desk: Desk) -> None:
    document = desk.open("a.py", BAD)
    await desk.checking.check(document)
    desk.service.plain_report = plain
    await desk.checking.reconcile()
    assert [line.partition(" n")[0] for line in desk.shown("a.py")] == ["1 plain", "2 plain"]
    assert await desk.known() == {"a.py": ["1 plain", "2 plain"]}, "the verdict follows"
    assert len(desk.service.asked) == 1


async def test_what_the_two_agree_on_is_not_shown_again(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    desk.shows.clear()
    await desk.checking.reconcile()
    assert desk.shows == []


async def test_an_ordinary_run_about_an_older_text_changes_nothing(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    await desk.checking.check(desk.open("still.py", BAD))
    desk.service.plain_report = plain
    desk.service.hold()
    reconciling = asyncio.ensure_future(desk.checking.reconcile())
    await settle()
    desk.type("a.py", "\n" + BAD)
    desk.service.go_on()
    await reconciling
    assert "plain" not in " ".join(desk.shown("a.py"))
    assert "1 plain new" in desk.shown("still.py")


async def test_a_text_that_was_never_checked_is_not_reconciled(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    desk.type("a.py", WORSE)
    desk.open("b.py", BAD)
    await desk.checking.reconcile()
    assert [texts for texts in desk.service.plainly if texts.keys() - {"a.py"}] == []


async def test_a_failed_ordinary_run_takes_nothing_away(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    desk.service.plain_report = lambda path, text: Report("types", Dimension.ERRORS, State.FAILED, "died")
    await desk.checking.reconcile()
    assert desk.shown("a.py") == ["1 mypy new"]


# A base that cannot be checked


def dies(path: str, text: str) -> Report:
    return Report("types", Dimension.ERRORS, State.FAILED, "died")


async def test_what_stands_on_lines_of_a_base_that_could_not_be_checked_is_not_new(desk: Desk) -> None:
    desk.service.plain_report = dies
    await desk.checking.check(desk.open("a.py", f"{GOOD}{BAD}z = ''\n", base=f"{GOOD}{BAD}"))
    assert desk.shown("a.py") == ["2 mypy old", "3 mypy new"]


async def test_a_base_that_could_not_be_checked_is_asked_about_when_runs_are_answered_again(
    desk: Desk,
) -> None:
    desk.service.plain_report = dies
    await desk.checking.check(desk.open("a.py", f"w = ''\n{BAD}", base=BAD.replace("x", "w")))
    await desk.checking.reconcile()
    assert desk.shown("a.py") == ["1 mypy old", "2 mypy new"]
    await desk.checking.check(desk.type("a.py", f"w = 1; w = ''\n{BAD}"))
    assert desk.shown("a.py") == ["1 mypy new", "2 mypy new"], "the checker could not say"
    asked = len(desk.service.plainly)
    await desk.checking.check(desk.type("a.py", f"w = 2; w = ''\n{BAD}"))
    assert len(desk.service.plainly) == asked, "no keystroke waits for what failed a moment ago"
    desk.service.plain_report = report
    await desk.checking.reconcile()
    await desk.known()
    assert desk.shown("a.py") == ["1 mypy old", "2 mypy new"]


# Files


async def test_files_written_by_others_have_every_open_document_checked_again(desk: Desk) -> None:
    desk.open("a.py", BAD)
    desk.open("b.py", BAD)
    await desk.known()
    desk.service.asked.clear()
    await desk.checking.files_changed(["closed.py", "a.py"])
    assert desk.service.files == ["closed.py"], "a text lies over the other"
    assert sorted(desk.service.asked) == [("a.py", BAD), ("b.py", BAD)]


async def test_saving_an_open_document_asks_nothing(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD))
    await desk.checking.files_changed(["a.py"])
    assert desk.service.files == [] and len(desk.service.asked) == 1


async def test_files_written_by_others_may_change_what_the_base_had(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py", BAD, base=BAD))
    await desk.checking.files_changed(["a.py"])
    await desk.checking.check(desk.type("a.py", WORSE))
    assert desk.service.plainly == [{"a.py": BAD}]


# What is said of one function before the rest is checked


async def test_a_preview_is_shown_at_once_and_the_whole_is_checked_after_a_rest(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py"))
    desk.service.can_preview = True
    document = desk.type("a.py", BAD)
    checked = asyncio.ensure_future(desk.checking.check(document))
    await settle()
    assert desk.shown("a.py") == ["1 mypy new"]
    assert not desk.is_done(document)
    assert desk.service.asked == [("a.py", GOOD)]
    desk.clock.wake()
    await checked
    assert desk.is_done(document)
    assert desk.service.asked == [("a.py", GOOD), ("a.py", BAD)]


async def test_a_newer_text_is_previewed_and_only_it_is_checked_as_a_whole(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py"))
    desk.service.can_preview = True
    checks = []
    for text in (BAD, WORSE):
        checks.append(asyncio.ensure_future(desk.checking.check(desk.type("a.py", text))))
        await settle()
    assert desk.shown("a.py") == ["1 mypy new", "2 mypy new"]
    desk.clock.wake()
    await asyncio.gather(*checks)
    assert desk.service.asked == [("a.py", GOOD), ("a.py", WORSE)]


async def test_a_verdict_does_not_wait_for_the_rest_and_is_made_of_the_whole(desk: Desk) -> None:
    await desk.checking.check(desk.open("a.py"))
    desk.service.can_preview = True
    checked = asyncio.ensure_future(desk.checking.check(desk.type("a.py", BAD)))
    await settle()
    assert await desk.known() == {"a.py": ["1 mypy"]}
    assert desk.service.asked == [("a.py", GOOD), ("a.py", BAD)]
    desk.clock.wake()
    await checked
    assert len(desk.service.asked) == 2


async def test_without_a_preview_nothing_rests(desk: Desk) -> None:
    document = desk.open("a.py", BAD)
    await desk.checking.check(document)
    assert desk.is_done(document)
    assert desk.service.previewed == [BAD]


async def test_what_is_known_is_not_previewed_again(desk: Desk) -> None:
    document = desk.open("a.py", BAD)
    for _ in range(2):
        await desk.checking.check(document)
    assert desk.service.previewed == [BAD]
