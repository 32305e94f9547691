"""Tests in an editor: run on unsaved text once the person agreed, and remembered until the texts differ."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from gateline.model import Change, Dimension, Report, State
from gateline.session.consent import Answer, Consents
from gateline.session.testing import COVERAGE, Tested, Tests, Which
from gateline.session.types import Texts

log = logging.getLogger(__name__)

Ask = Callable[[Sequence[str]], Awaitable[Answer | None]]
"""Asks the person whether a command may be run; None: not now."""
_OUTDATED = "the text changed since tests were run"
_NOBODY_ASKED = "nobody agreed yet that tests are run here"
_NEVER = "tests are not to be run in this workspace"

_Texts = tuple[tuple[str, str], ...]
"""The paths and digests of a change."""


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
    ) -> None:
        self._tests = tests
        self._root = root
        self._command = tuple(command)
        self._ask = ask
        self._consents = consents or Consents()
        self._asked = False
        """Whether the person was asked since the workspace was opened."""
        self._last: tuple[_Texts, Tested] | None = None
        self._turn = asyncio.Lock()

    async def allowed(self) -> bool:
        """Whether tests may be run."""
        if self._tests.service is None or not await self._tests.exist():
            return False
        return await asyncio.to_thread(self._consents.allows, self._root, self._command)

    async def ask(self) -> bool:
        """Ask the person once, where there are tests and nobody answered yet; whether tests may be run."""
        if self._ask is None or self._asked or self._tests.service is None or not await self._tests.exist():
            return await self.allowed()
        if await self.allowed() or await asyncio.to_thread(self._consents.forbids, self._root):
            return await self.allowed()
        self._asked = True
        answer = await self._ask(self._command)
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

    async def run(self, change: Change, around: Texts, which: Which) -> bool:
        """Run tests of a change, if that is allowed; whether anything new is known."""
        if not change.files or not await self.allowed():
            return False
        async with self._turn:
            if self._last is not None and self._last[0] == _texts(change) and which is Which.AFFECTED:
                return False
            tested = await self._tests.of_change(change, around, which)
            self._last = _texts(change), tested
        return True

    async def known(self, change: Change) -> Tested:
        """What tests said of a change. After an edit failing tests stay failing, and coverage is stale."""
        if self._last is not None:
            texts, tested = self._last
            return tested if texts == _texts(change) else _stale(tested)
        nothing = await self._tests.of_change(change, {}, Which.NONE)
        if self._tests.service is None or not await self._tests.exist():
            return nothing
        forbidden = await asyncio.to_thread(self._consents.forbids, self._root)
        return _because(nothing, _NEVER if forbidden else _NOBODY_ASKED)

    def files_changed(self, paths: Sequence[str]) -> None:
        """Files were written."""
        self._tests.files_changed(paths)


def _texts(change: Change) -> _Texts:
    return tuple((row.path, row.current.digest if row.current else "") for row in change.files)


def _stale(tested: Tested) -> Tested:
    def outdated(report: Report) -> Report:
        if report.dimension is not Dimension.COVERAGE or report.state is not State.MEASURED:
            return report
        return Report(report.analyzer, report.dimension, State.STALE, _OUTDATED)

    current = {path: tuple(map(outdated, reports)) for path, reports in tested.current.items()}
    return replace(tested, current=current)


def _because(tested: Tested, reason: str) -> Tested:
    def told(report: Report) -> Report:
        return replace(report, reason=reason) if report.analyzer == COVERAGE else report

    return replace(tested, current={p: tuple(map(told, reports)) for p, reports in tested.current.items()})
