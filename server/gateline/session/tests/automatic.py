"""When an editor runs tests: after an edit and a rest, when the person just agreed, and when asked to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from gateline.model import Level, Report
from gateline.session.errors import UsageError
from gateline.session.judge.gathering import Gathering
from gateline.session.live.scheduler import Scheduler
from gateline.session.tests.consent import Answer
from gateline.session.tests.testing import OnResult, Tested, Wanted, Which, usual
from gateline.session.toolset import Toolset
from gateline.testing.covered import Covered

_PAUSE = 0.3
"""Seconds without an edit after which the tests that it affects are run."""


class AutomaticTests:
    """Runs tests on unsaved text.

    `tools` waits until there are some, `looked` also until they know the disk as it is now; `judge_soon` is
    called for new results, and `ran` is told them.
    """

    def __init__(
        self,
        tools: Callable[[], Awaitable[Toolset]],
        looked: Callable[[], Awaitable[Toolset]],
        gathering: Gathering,
        scheduler: Scheduler,
        judge_soon: Callable[[], None],
        ran: Callable[[Tested], None] = lambda tested: None,
    ) -> None:
        self._tools = tools
        self._looked = looked
        self._gathering = gathering
        self._scheduler = scheduler
        self._judge_soon = judge_soon
        self._ran = ran
        self._asked = 0
        """How many runs somebody asked for that have not ended."""
        self._is_running = False

    def edited(self) -> None:
        """A document was edited, and parses."""
        self._scheduler.submit("edited", self._settled, rest=_PAUSE)

    async def saved(self) -> None:
        """A document was saved: the time to ask whether tests may be run."""
        if await (await self._tools()).runs.ask():
            self._scheduler.submit("tests", self._look_and_run, rest=0.0)

    async def answered(self, answer: Answer | None) -> None:
        """The person said whether tests may be run; None takes back what was said before. Raises OSError.

        Those that the change affects run in the background.
        """
        await (await self._tools()).runs.answered(answer)
        self._scheduler.submit("tests", self._run, rest=0.0)
        self._judge_soon()

    async def agreed(self) -> None:
        """Ask the person once whether tests may be run. Raises UsageError where they may not."""
        tools = await self._tools()
        if not await tools.runs.ask():
            raise UsageError(await tools.runs.refusal())

    async def run(self, which: Which, ids: Sequence[str] | None, on_result: OnResult) -> Tested:
        """What somebody asked for. Cancelling it ends the run. Raises UsageError when nothing may be run."""
        await self.agreed()
        tools = await self._seen()
        wanted = Wanted(which, only=None if ids is None else tuple(ids))
        if self._is_running and not self._asked:
            await tools.runs.interrupt()
        self._asked += 1
        try:
            has_run = await self._gathering.run_tests(tools, wanted, on_result)
        except asyncio.CancelledError:
            await tools.runs.interrupt()
            raise
        finally:
            self._asked -= 1
            self._judge_soon()
        return self._told(tools) if has_run else Tested(is_whole=False)

    async def cancel(self) -> bool:
        """End the tests that are being run; whether there were any."""
        was_running = self._is_running or self._asked > 0
        await (await self._tools()).runs.interrupt()
        return was_running

    async def coverage(self, path: str) -> tuple[Report, Covered | None]:
        """What tests execute of the changed lines of an open document. Raises UndecidedError."""
        return await self._gathering.coverage(await self._tools(), path)

    async def _settled(self) -> None:
        """Nobody types any more: what is being run speaks of an older text."""
        if self._is_running and not self._asked:
            await (await self._tools()).runs.interrupt()
        self._scheduler.submit("tests", self._run, rest=0.0)

    async def _look_and_run(self) -> None:
        """A file was saved, which may be one that no session holds: the disk is looked at first."""
        await self._seen()
        await self._run()

    async def _seen(self) -> Toolset:
        """Tests read the disk: not every client tells of every file that was written."""
        tools = await self._looked()
        tools.runs.files_changed(())
        return tools

    async def _run(self) -> None:
        self._is_running = True
        try:
            tools = await self._tools()
            if await self._gathering.run_tests(tools, Wanted(usual(Level.EARLY), again=False)):
                self._told(tools)
                self._judge_soon()
        finally:
            self._is_running = False

    def _told(self, tools: Toolset) -> Tested:
        last = tools.runs.last or Tested(is_whole=False)
        self._ran(last)
        return last
