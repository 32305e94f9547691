"""When an editor runs tests: after an edit and a rest, and when the person just agreed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from gateline.session.consent import Answer
from gateline.session.evaluating import Evaluating
from gateline.session.scheduler import Scheduler
from gateline.session.toolset import Toolset

_PAUSE = 0.6
"""Seconds without an edit after which the tests that it affects are run."""


class AutomaticTests:
    """Runs tests on unsaved text. `tools` waits until there are some, `judge_soon` is told of new results."""

    def __init__(
        self,
        tools: Callable[[], Awaitable[Toolset]],
        evaluating: Evaluating,
        scheduler: Scheduler,
        judge_soon: Callable[[], None],
    ) -> None:
        self._tools = tools
        self._evaluating = evaluating
        self._scheduler = scheduler
        self._judge_soon = judge_soon

    def edited(self) -> None:
        """A document was edited, and parses."""
        self._scheduler.submit("tests", self._run, rest=_PAUSE)

    async def saved(self) -> None:
        """A document was saved: the time to ask whether tests may be run."""
        if await (await self._tools()).runs.ask():
            self._scheduler.submit("tests", self._run)

    async def answered(self, answer: Answer | None) -> None:
        """The person said whether tests may be run; None takes back what was said before. Raises OSError."""
        await (await self._tools()).runs.answered(answer)
        await self._run()
        self._judge_soon()

    async def _run(self) -> None:
        if await self._evaluating.run_tests(await self._tools()):
            self._judge_soon()
