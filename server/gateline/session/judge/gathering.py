"""What a verdict is made of: for somebody who asked, and for the score that follows the typing."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field

from gateline.gates.floors import SYNTAX_ERROR
from gateline.model import Change, Dimension, Document, Evaluation, Level, Progress, Report, State
from gateline.services.together import together
from gateline.session.errors import UndecidedError
from gateline.session.judge.judging import Tell
from gateline.session.judge.memo import Memo
from gateline.session.judge.request import Request
from gateline.session.judge.verdicts import Verdicts
from gateline.session.live.documents import Documents
from gateline.session.tests.tested import Tested
from gateline.session.tests.testing import OnResult, Wanted, usual
from gateline.session.toolset import Toolset
from gateline.session.types.services import Texts
from gateline.session.types.types import Typed, of_part
from gateline.session.workspace.external_documents import is_elsewhere
from gateline.testing.coverage_report import absent
from gateline.testing.covered import Covered

_PATIENCE = 20.0
"""Seconds for the person to say whether tests may be run; then it is judged without them."""


@dataclass(frozen=True)
class Contents:
    """What there is now, as far as it is known without looking."""

    documents: Documents
    tools: Callable[[], Toolset | None]

    def change(self) -> Change | None:
        """What differs from the base; None before anything is known."""
        ready = self.tools()
        if ready is None:
            return None
        unknown = self.documents.without_base  # without its base a document would look added
        buffers = {path: text for path, text in self.documents.buffers.items() if path not in unknown}
        try:
            return ready.worktree.known_change(self.documents.bases, buffers)
        except UndecidedError:
            return None

    def texts(self) -> Mapping[str, str]:
        """The open texts of this folder's files, saved or not, however long."""
        ready = self.tools()
        return {
            path: document.text
            for path, document in self.documents.buffers.items()
            if ready is not None and ready.worktree.holds(path)
        }


@dataclass(frozen=True, slots=True)
class Tried:
    """A change that is judged beside the one there is."""

    now: Change
    """The one there is."""
    asked: Change
    """The whole of what is judged."""
    part: Change
    """What of it is told."""

    @property
    def texts(self) -> dict[str, str]:
        """The texts that are not written."""
        known = {row.path: row.current for row in (*self.now.files, *self.now.others)}
        rows = (row for row in (*self.asked.files, *self.asked.others) if row.current)
        return {
            row.path: row.current.text for row in rows if row.current and row.current != known.get(row.path)
        }


@dataclass(frozen=True)
class Gathering:
    """Gathers what types and tests say of the open documents' change, and has it judged."""

    documents: Documents
    verdicts: Verdicts
    memo: Memo = field(default_factory=Memo)
    _looking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _looks: Iterator[int] = field(default_factory=itertools.count)
    """Numbers of looks at the change, in their order."""

    async def know_bases(self, tools: Toolset) -> None:
        """Look up the bases of open documents: without its base every finding of one would look new."""
        async with self._looking:
            while unknown := self.documents.without_base:
                moves = self.documents.moves
                found = await asyncio.to_thread(tools.worktree.bases_of, unknown)
                if self.documents.moves == moves:
                    # Else the base moved meanwhile, and they are looked up once more.
                    self.documents.set_bases(found)
                    break

    def is_overtaken(self, evaluation: Evaluation, buffers: Mapping[str, Document]) -> bool:
        """Whether a verdict on `buffers` says of a text that it does not parse, and is older than that text.

        What was typed since has its own verdict coming; this one would be said of texts that do parse.
        """
        broken = {finding.path for finding in evaluation.findings if finding.code == SYNTAX_ERROR}
        return any(self.documents.get(path) is not buffers.get(path) for path in broken)

    def around(self) -> Texts:
        """The open texts of this folder."""
        buffers = self.documents.buffers
        return {path: document.text for path, document in buffers.items() if not is_elsewhere(path)}

    async def asked(
        self, tools: Toolset, level: Level, scope: str, progress: Progress, tell: Tell | None
    ) -> Evaluation:
        """With an ordinary run of the type checker, and with tests where they may be run.

        Raises UsageError, UndecidedError and ChildError.
        """
        if level is Level.FINAL:
            # Not every client tells of every file that was written.
            tools.judging.files_changed()
        bases, buffers = self.documents.bases, self.documents.buffers
        laid, look = tools.worktree.texts(buffers), next(self._looks)
        change = await asyncio.to_thread(tools.worktree.scoped, scope, bases, buffers)
        if scope != "change":
            # Nothing is decided, so nothing of the user's code is run.
            typed = await tools.judging.typed(change, self.around())
            tested = await tools.runs.known(change, tools.worktree.change(bases, buffers))
            return await tools.judging.evaluate(Request(change, level, progress, typed, tested, laid), tell)
        with self.verdicts.working(change):
            typed, known, tested = await self._run(tools, change, level)
            request = Request(change, level, progress, typed, tested, laid)
            evaluation = await self._evaluation(tools, request, tell)
        self.verdicts.asked(evaluation, change, known, look)
        return evaluation

    async def _run(self, tools: Toolset, change: Change, level: Level) -> tuple[Typed, Tested, Tested]:
        """What types say of a change, and tests without and with their times; tests run if that is agreed."""
        around = self.around()
        typed = await tools.judging.typed(change, around)
        agreed = await tools.runs.ask(_PATIENCE)
        if agreed:
            await tools.runs.run(change, around, Wanted(usual(level), affordable=True))
        known = await tools.runs.known(change)
        if agreed and level is Level.FINAL:
            return typed, known, await tools.judging.tests.timed(known, change, around)
        return typed, known, known

    async def _evaluation(self, tools: Toolset, request: Request, tell: Tell | None = None) -> Evaluation:
        """The verdict, made or remembered. Raises ChildError."""
        known = self.memo.get(request)
        if known is not None:
            return known
        return self.memo.put(request, await tools.judging.evaluate(request, tell))

    async def known(
        self, tools: Toolset, level: Level, progress: Progress
    ) -> AsyncIterator[tuple[Evaluation, bool]]:
        """With what the resident type checker and the last run of tests know; whether that is the whole.

        Nothing where a verdict of the same was asked for, which knows more: opening a document to look at
        what it found, or saving one, takes nothing back. Two where importers that are not open were never
        checked, which may take many times as long, and nothing is shown of them: the first is without them.
        Raises UndecidedError and ChildError.
        """
        buffers, look = self.documents.buffers, next(self._looks)
        change = tools.worktree.known_change(self.documents.bases, buffers)
        laid = tools.worktree.texts(buffers)
        holding = self.verdicts.holding(level)
        if holding is not None and holding == (change, await tools.runs.known(change)):
            return
        importers = await asyncio.to_thread(tools.judging.surroundings.importers, change)
        seen = tools.checking.seen(importers)
        unseen = {document.path for document in importers} - {document.path for document in seen}
        is_soon = bool(unseen) and not self.verdicts.shows(unseen)
        for told in (seen, importers) if is_soon else (importers,):
            with self.verdicts.working(change):
                typed = await tools.checking.known(change, told)
                tested = await tools.runs.known(change)
                found = await self._evaluation(tools, Request(change, level, progress, typed, tested, laid))
            if self._was_asked(look, change, level, holding):
                self.verdicts.keep()
                return
            yield found, told is importers

    async def looked(self, tools: Toolset, level: Level, progress: Progress) -> tuple[Evaluation, Change]:
        """The change as it is, with what the resident type checker and the last run of tests know.

        Raises UndecidedError and ChildError.
        """
        buffers = self.documents.buffers
        change = tools.worktree.known_change(self.documents.bases, buffers)
        laid = tools.worktree.texts(buffers)

        async def types() -> Typed:
            importers = await asyncio.to_thread(tools.judging.surroundings.importers, change)
            return await tools.checking.known(change, importers)

        with self.verdicts.working(change):
            # What analyzers say is remembered for when it is judged.
            typed, tested, _ = await together(
                types(), tools.runs.known(change), tools.judging.inspected(change, level, laid)
            )
            request = Request(change, level, progress, typed, tested, laid)
            return await self._evaluation(tools, request), change

    async def tried(
        self, tools: Toolset, tried: Tried, level: Level, progress: Progress, tell: Tell
    ) -> Evaluation:
        """A part of a change, or one that nobody has written: nothing of it is remembered here.

        At early types are those of the resident checker, and no tests are run. Raises ChildError.
        """
        laid = {**tools.worktree.texts(self.documents.buffers), **tried.texts}
        inspected = None

        async def types() -> Typed:
            importers = await asyncio.to_thread(tools.judging.surroundings.importers, tried.asked)
            return await tools.checking.proposed(tried.now, tried.asked, importers)

        if level is Level.EARLY:
            typed, tested, inspected = await together(
                types(),
                tools.runs.known(tried.part, tried.asked),
                tools.judging.inspected(tried.part, level, laid),
            )
        else:
            typed = await tools.judging.typed(tried.asked, laid)
            tested = await self._tested(tools, tried, level, tell)
        typed = of_part(typed, tried.asked, tried.part)
        request = Request(tried.part, level, progress, typed, tested, laid, inspected)
        return await tools.judging.evaluate(request, tell)

    async def _tested(self, tools: Toolset, tried: Tried, level: Level, tell: Tell) -> Tested:
        """What tests say of a change that nobody has written; they run where a person agreed to that."""
        if not await tools.runs.allowed():
            return await tools.runs.known(tried.part, tried.asked)
        tell("tests")
        tests, wanted = tools.judging.tests, Wanted(usual(level), affordable=True)
        tested = await tests.of_change(tried.part, {**self.around(), **tried.texts}, wanted)
        return await tests.timed(tested, tried.part, self.around()) if level is Level.FINAL else tested

    def _was_asked(
        self, look: int, change: Change, level: Level, before: tuple[Change, Tested] | None
    ) -> bool:
        """Whether somebody's verdict came meanwhile that knows more of this change, or is of a newer one."""
        holding = self.verdicts.holding(level)
        if holding is None or holding is before:
            return False
        return self.verdicts.asked_look > look or holding[0] == change

    async def run_tests(self, tools: Toolset, wanted: Wanted, on_result: OnResult | None = None) -> bool:
        """Run tests of the change, if that is allowed; whether anything new is known."""
        change = tools.worktree.known_change(self.documents.bases, self.documents.buffers)
        return await tools.runs.run(change, self.around(), wanted, on_result)

    async def coverage(self, tools: Toolset, path: str) -> tuple[Report, Covered | None]:
        """What tests execute of the changed lines of an open document, without running any."""
        change = tools.worktree.known_change(self.documents.bases, self.documents.buffers)
        tested = await tools.runs.known(change)
        found = (r for r in tested.current.get(path, ()) if r.dimension is Dimension.COVERAGE)
        unchanged = absent("the file does not differ from the base", State.NOTHING_TO_JUDGE)
        covered = tested.lines.get(path)
        return next(found, unchanged), covered if isinstance(covered, Covered) else None
