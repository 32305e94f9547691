"""When a faster type checker's findings are shown, and when they must not be."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping

import pytest

from gateline.model import Dimension, Document, Finding, Report, Span, State, Weight
from gateline.services.types.checked import Checked
from gateline.session.judge.engine import Engine
from gateline.session.live.analysis import Analysis
from gateline.session.types.provisional import Provisional
from support.checking_desk import WatchedState

BASE = "old = ''\n"


def report(document: Document, origin: str = "ty", *, weight: Weight = Weight.COUNTS) -> Report:
    """One finding on each line that assigns an empty text."""
    found = (
        Finding(
            code="GTL110",
            path=document.path,
            span=Span.of(number, 0, number, len(line)),
            message="Empty",
            dimension=Dimension.ERRORS,
            weight=weight,
            origin=f"{origin}: empty",
            line_text=line,
        )
        for number, line in enumerate(document.text.splitlines())
        if line.endswith("''")
    )
    return Report("types", Dimension.ERRORS, findings=tuple(found))


class Fast:
    """Answers when a test says so."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.bases: list[str] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.answer = report

    async def update(self, texts: Mapping[str, str | None]) -> Checked:
        ((path, text),) = texts.items()
        assert text is not None
        self.asked.append(text)
        await self.gate.wait()
        document = Document(path, text)
        return Checked({path: self.answer(document)}, {path: document.digest})

    async def alone(self, path: str, text: str) -> Report:
        self.bases.append(text)
        return self.answer(Document(path, text))

    async def files_changed(self, paths: object) -> None: ...

    async def close(self, path: str) -> None: ...

    async def stop(self) -> None: ...


class Desk:
    """One open document, with a reference that answers when a test says so."""

    def __init__(self) -> None:
        self.fast = Fast()
        live = WatchedState()
        self.documents, self.board, self.shows = live.documents, live.board, live.shows
        self.analysis = Analysis(Engine({}, {}), live)
        self.provisional = Provisional(self.fast, self.documents, self.analysis)
        self.documents.open("a.py", BASE, 1)
        self.documents.set_bases({"a.py": Document("a.py", BASE)})

    def type(self, text: str) -> Document:
        version = (self.newest.version or 0) + 1
        edits = [(None, text)]
        document = self.documents.change("a.py", edits, version)
        assert document is not None
        self.board.edited("a.py", edits)
        self.provisional.begin(document)
        return document

    async def settle(self) -> None:
        while self.provisional.pending:
            await asyncio.sleep(0)

    async def judge(self, document: Document, *, agrees: bool = True) -> None:
        judged = report(document, "mypy") if agrees else Report("types", Dimension.ERRORS)
        self.provisional.judged(document, judged)
        before = report(Document("a.py", BASE), "mypy") if agrees else Report("types", Dimension.ERRORS)
        await self.analysis.take_types(document, judged.findings, before.findings)

    @property
    def newest(self) -> Document:
        document = self.documents.get("a.py")
        assert document is not None
        return document

    def shown(self) -> list[str]:
        return [
            f"{f.span.start.line + 1} {f.origin.partition(':')[0]}{' provisional' * f.provisional}"
            for f in self.board.merged("a.py")
            if f.novelty == "new"
        ]


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.analysis.stop()


async def test_only_what_the_base_does_not_have_is_shown(desk: Desk) -> None:
    desk.type(BASE + "new = ''\n")
    await desk.settle()
    assert desk.shown() == ["2 ty provisional"]
    assert desk.shows == ["a.py"]


async def test_the_base_is_asked_once_and_not_when_it_is_the_text(desk: Desk) -> None:
    desk.provisional.begin(desk.newest)
    await desk.settle()
    for number in range(3):
        desk.type(BASE + f"n{number} = ''\n")
        await desk.settle()
    assert desk.fast.bases == [] and len(desk.fast.asked) == 4
    desk.provisional.files_changed()
    for number in range(3):
        desk.type(BASE + f"m{number} = ''\n")
        await desk.settle()
    assert desk.fast.bases == [BASE]


async def test_warnings_are_not_shown(desk: Desk) -> None:
    desk.fast.answer = lambda document: report(document, weight=Weight.ADVICE)
    desk.type("new = ''\n")
    await desk.settle()
    assert desk.shown() == []


async def test_the_reference_takes_their_place(desk: Desk) -> None:
    document = desk.type(BASE + "new = ''\n")
    await desk.settle()
    await desk.judge(document)
    assert desk.shown() == ["2 mypy"]


async def test_an_answer_after_the_reference_s_is_dropped(desk: Desk) -> None:
    desk.fast.gate.clear()
    await desk.judge(desk.type(BASE + "new = ''\n"), agrees=False)
    shows = len(desk.shows)
    desk.fast.gate.set()
    await desk.settle()
    assert desk.shown() == [] and len(desk.shows) == shows


async def test_the_answer_about_an_older_text_is_dropped(desk: Desk) -> None:
    desk.fast.gate.clear()
    desk.type(BASE + "new = ''\n")
    await asyncio.sleep(0)
    desk.type(BASE)
    assert len(desk.fast.asked) == 1
    desk.fast.gate.set()
    await desk.settle()
    assert desk.shown() == [] and desk.shows == []


async def test_what_the_reference_does_not_see_is_not_said_again(desk: Desk) -> None:
    text = BASE + "new = ''\n"
    document = desk.type(text)
    await desk.settle()
    await desk.judge(document, agrees=False)
    desk.type("\n" + text)
    await desk.settle()
    assert desk.shown() == []
    desk.type("\n" + text + "third = ''\n")
    await desk.settle()
    assert desk.shown() == ["4 ty provisional"]


async def test_what_was_mended_and_came_back_is_said_again(desk: Desk) -> None:
    for text in (BASE + "new = ''\n", BASE):
        document = desk.type(text)
        await desk.settle()
        await desk.judge(document)
    desk.type(BASE + "new = ''\n")
    await desk.settle()
    assert desk.shown() == ["2 ty provisional"]


async def test_a_line_with_a_finding_of_the_reference_gets_no_second_one(desk: Desk) -> None:
    document = desk.type(BASE + "new = ''\n")
    await desk.settle()
    await desk.judge(document)
    desk.documents.change("a.py", [(Span.of(1, 0, 1, 3), "other")], 9)
    desk.board.edited("a.py", [(Span.of(1, 0, 1, 3), "other")])
    desk.provisional.begin(desk.newest)
    await desk.settle()
    assert desk.shown() == ["2 mypy"]


async def test_a_reference_that_failed_takes_nothing_away(desk: Desk) -> None:
    document = desk.type(BASE + "new = ''\n")
    await desk.settle()
    desk.provisional.judged(document, Report("types", Dimension.ERRORS, State.FAILED, "died"))
    assert desk.shown() == ["2 ty provisional"]


async def test_failures_show_nothing(desk: Desk) -> None:
    failed = Report("types", Dimension.ERRORS, State.FAILED, "died")
    desk.fast.answer = lambda document: failed if document.text == BASE else report(document)
    desk.type(BASE + "new = ''\n")
    await desk.settle()
    desk.fast.answer = lambda document: failed
    desk.type(BASE + "newer = ''\n")
    await desk.settle()
    assert desk.shown() == []


async def test_a_document_closed_meanwhile_shows_nothing(desk: Desk) -> None:
    desk.fast.gate.clear()
    desk.type(BASE + "new = ''\n")
    desk.documents.close("a.py")
    desk.provisional.close("a.py")
    desk.fast.gate.set()
    await desk.settle()
    assert desk.shown() == [] and desk.shows == []


async def test_without_a_faster_one_nothing_happens(desk: Desk) -> None:
    alone = Provisional(None, desk.documents, desk.analysis)
    alone.begin(desk.newest)
    alone.judged(desk.newest, report(desk.newest))
    assert not alone.pending and desk.shown() == []
