"""Open documents with a type checker that answers as told, for the tests of `session.checking`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from gateline.model import (
    Change,
    Dimension,
    Document,
    FileChange,
    Finding,
    Report,
    Span,
    Weight,
)
from gateline.services.types.checked import Checked
from gateline.session.judge.engine import Engine
from gateline.session.live.analysis import Analysis
from gateline.session.live.options import SessionOptions
from gateline.session.live.state import LiveState
from gateline.session.types.checking import TypeChecking
from gateline.session.types.types import Types
from gateline.session.workspace.changes import overlay

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
        self.unsaved: set[str] = set()
        """Paths whose files hold another text than the document that is closed."""
        self.files: list[str] = []
        self.answers = asyncio.Semaphore(1000)
        """How many may be given."""
        self.elsewhere: dict[str, str] = {}
        """Other texts that each answer speaks of as well."""
        self.changed: dict[str, Report] = {}
        """By path: what is found now, whatever its text says by itself."""
        self.late: list[asyncio.Event] = []
        """What the next ordinary runs wait for, each for its own."""
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
        reports = {p: self.changed.get(p) or report(p, t) for p, t in said.items()}
        return Checked(reports, {p: Document(p, t).digest for p, t in said.items()})

    async def plain(self, texts: Texts) -> Mapping[str, Report]:
        self.plainly.append(dict(texts))
        if self.late:
            await self.late.pop(0).wait()
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

    async def close(self, path: str) -> bool:
        self.closed.append(path)
        return path in self.unsaved

    async def stop(self) -> None: ...


class Disk:
    """The part of a worktree that type checking asks: what differs from the base."""

    def __init__(self) -> None:
        self.rows: dict[str, FileChange] = {}
        self.commit = "base"

    def write(self, path: str, text: str, base: str | None = None) -> None:
        before = None if base is None else Document(path, base)
        self.rows[path] = FileChange.between(before, Document(path, text))

    @property
    def disk(self) -> Change:
        return Change(self.commit, "base", tuple(self.rows.values()))

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


class WatchedState(LiveState):
    """Keeps the paths of which findings were to be shown."""

    def __init__(self) -> None:
        super().__init__(SessionOptions(), lambda _: None)
        self.shows: list[str] = []

    def show(self, path: str) -> None:
        self.shows.append(path)


class Desk:
    """Open documents with type checking, as a session has them."""

    def __init__(self) -> None:
        self.service, self.disk = Service(), Disk()
        live = WatchedState()
        self.documents, self.board, self.stages = live.documents, live.board, live.stages
        self.shows = live.shows
        analysis = Analysis(Engine({}, {}), live)
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
