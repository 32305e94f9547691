"""Tests in an editor: run on unsaved text once the person agreed, and remembered until the texts differ."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from gateline.model import Change, FileChange, Report, State, TestRun
from gateline.services.shielded import begun
from gateline.session.tests import unrun
from gateline.session.tests.consent import Answer, Consents
from gateline.session.tests.covering import Lines
from gateline.session.tests.testing import NO_TESTS, OnResult, Tested, Tests, Wanted, Which
from gateline.session.types.services import Texts
from gateline.testing.coverage_report import NAME as COVERAGE

log = logging.getLogger(__name__)

Ask = Callable[[Sequence[str]], Awaitable[Answer | None]]
"""Asks the person whether a command may be run; None: not now."""

_OUTDATES = (State.MEASURED, State.NOTHING_TO_JUDGE)
"""What holds only for the contents that it was said of; why tests could not run holds until they can."""
_Texts = tuple[tuple[str, str], ...]
"""The paths and digests of a change."""


@dataclass(frozen=True)
class _Said:
    """What tests said of some texts."""

    texts: _Texts
    tested: Tested
    is_all: bool = False
    """Whether all tests that the texts can affect were run."""


async def nobody() -> None:
    """Who need not be told that a person answered."""


class TestRuns:
    """What the tests of one workspace said last. Nothing is run that nobody agreed to."""

    __test__ = False

    def __init__(
        self,
        tests: Tests,
        root: Path,
        command: Sequence[str],
        ask: Ask | None,
        consents: Consents | None = None,
        *,
        told: Callable[[], Awaitable[None]] = nobody,
    ) -> None:
        """`told` is called when a person answered, or took an answer back."""
        self._told = told
        self._tests = tests
        self._root = root
        self._command = tuple(command)
        self._ask = ask
        self._consents = consents or Consents()
        self._asked = False
        """Whether the person was asked since the workspace was opened."""
        self._question: asyncio.Task[bool] | None = None
        self._last: _Said | None = None
        """Of the newest run."""
        self._moved: _Said | None = None
        """The same for newer texts: coverage as far as it still holds."""
        self._interruptions = 0
        self._turn = asyncio.Lock()

    async def allowed(self) -> bool:
        """Whether tests may be run."""
        if self._tests.service is None or not await self._tests.exist():
            return False
        return await self.agreed()

    async def agreed(self) -> bool:
        """Whether a person agreed that tests are run, whatever there is to run."""
        return await asyncio.to_thread(self._consents.allows, self._root, self._command)

    async def ask(self, patience: float | None = None) -> bool:
        """Ask the person once, where there are tests and nobody answered yet; whether tests may be run.

        After `patience` seconds it is no for now: editors hide a question that was not answered. An answer
        that comes later holds from then on.
        """
        if self._ask is None or self._asked or self._tests.service is None or not await self._tests.exist():
            return await self.allowed()
        if await self.allowed() or await asyncio.to_thread(self._consents.forbids, self._root):
            return await self.allowed()
        self._asked = True
        self._question = begun(self._put(self._ask))
        await asyncio.wait([self._question], timeout=patience)
        return self._question.done() and await self._question

    async def _put(self, ask: Ask) -> bool:
        answer = await ask(self._command)
        if answer is not None:
            await self.answered(answer)
        return answer is Answer.ALLOWED

    async def answered(self, answer: Answer | None) -> None:
        """The person said it by themselves; None takes back what was said before."""
        if answer is None:
            self._asked = False
            await asyncio.to_thread(self._consents.forget, self._root)
        else:
            now = datetime.now(UTC)
            await asyncio.to_thread(self._consents.remember, self._root, self._command, answer, now)
        await self._told()

    async def run(
        self,
        change: Change,
        around: Texts,
        wanted: Wanted,
        on_result: OnResult | None = None,
    ) -> bool:
        """Run tests of a change, if that is allowed; whether anything new is known."""
        began = self._interruptions
        if change.is_empty and not wanted.again:
            return self._forgotten()
        if not await self.allowed():
            return False
        async with self._turn:
            if began != self._interruptions:
                return False
            texts = _texts(change, self._root)
            if not wanted.again and self._knows(texts):
                return False
            tested = await self._tests.of_change(change, around, wanted, on_result)
            if not (tested.is_whole or tested.current):
                return False
            is_all = tested.is_whole and wanted.only is None
            self._last, self._moved = _Said(texts, tested, is_all), None
        return True

    def _forgotten(self) -> bool:
        """Everything is as at the base: what was said of a change is of none; whether that is new."""
        was_known, self._last, self._moved = self._last is not None, None, None
        return was_known

    def _knows(self, texts: _Texts) -> bool:
        return self._last is not None and self._last.texts == texts and self._last.is_all

    async def interrupt(self) -> None:
        """End what is run now, and what waits to be run."""
        self._interruptions += 1
        await self._tests.interrupt()

    @property
    def last(self) -> Tested | None:
        """What the newest run said."""
        return self._last.tested if self._last else None

    async def known(self, change: Change, whole: Change | None = None) -> Tested:
        """What tests said of a change, which may be a part of the `whole` one.

        After an edit failing tests stay failing, and coverage is moved along; but it is told that the tests
        ran with something else.
        """
        if self._last is not None:
            tested = await self._carried(self._last, change)
            return await self._dated(tested, self._last, _texts(whole or change, self._root))
        nothing = await self._tests.of_change(change, {}, Wanted(Which.NONE))
        if self._tests.service is None or not await self._tests.exist():
            return nothing
        return _because(nothing, await self.refusal(), await self._unrun())

    async def refusal(self) -> str:
        """Why no tests may be run."""
        if self._tests.service is None or not await self._tests.exist():
            return self._tests.reason or NO_TESTS
        forbidden = await asyncio.to_thread(self._consents.forbids, self._root)
        return unrun.NEVER if forbidden else unrun.NOBODY_ASKED

    async def _unrun(self) -> TestRun:
        """Why no test has run, though there are some."""
        if await asyncio.to_thread(self._consents.forbids, self._root):
            return unrun.refused(self._command)
        return unrun.not_yet() if await self.allowed() else unrun.unagreed(self._command)

    async def _carried(self, last: _Said, change: Change) -> Tested:
        texts = _texts(change, self._root)
        for said in (last, self._moved):
            if said is not None and said.texts == texts:
                return said.tested
        tested = _with_coverage(last.tested, *await self._tests.coverage(change, {}))
        self._moved = _Said(texts, tested)
        return tested

    async def _dated(self, tested: Tested, last: _Said, texts: _Texts) -> Tested:
        """The same, out of date where the tests ran with other contents than those there are now."""
        about = tested.about
        if about is None or texts == last.texts or about.state not in _OUTDATES:
            return tested
        if about.state is State.NOTHING_TO_JUDGE and not await self._tests.exist():
            return tested
        if not await self.allowed():
            return replace(tested, about=await self._unrun())
        return replace(tested, about=unrun.outdated(about))

    def files_changed(self, paths: Sequence[str]) -> None:
        """Files were written."""
        self._tests.files_changed(paths)


def _texts(change: Change, root: Path) -> _Texts:
    rows = (*change.files, *change.others)
    return tuple((row.path, row.current.digest if row.current else _stamp(row, root)) for row in rows)


def _stamp(row: FileChange, root: Path) -> str:
    """What tells one content from another where there is no text: a binary file, one that is too large."""
    if not row.skipped:
        return row.status
    try:
        found = (root / row.path).lstat()
    except OSError:
        return row.status
    return f"{row.status} {found.st_size} {found.st_mtime_ns}"


def _with_coverage(tested: Tested, coverage: Mapping[str, Report], lines: Lines) -> Tested:
    """The same tests, with what is known of the coverage of newer texts."""
    failing = {p: [r for r in reports if r.analyzer != COVERAGE] for p, reports in tested.current.items()}
    paths = sorted({*failing, *coverage})
    current = {p: (*failing.get(p, ()), *([coverage[p]] if p in coverage else ())) for p in paths}
    return replace(tested, current=current, lines=lines)


def _because(tested: Tested, reason: str, about: TestRun) -> Tested:
    def told(report: Report) -> Report:
        unknown = report.analyzer == COVERAGE and report.state is State.NO_DATA
        return replace(report, reason=reason) if unknown else report

    current = {p: tuple(map(told, reports)) for p, reports in tested.current.items()}
    return replace(tested, current=current, about=about)
