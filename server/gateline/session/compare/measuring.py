"""The base and all candidates, each measured by itself, on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gateline.ranking.values import Isolation
from gateline.services.together import each
from gateline.session.compare.behaviour import Made
from gateline.session.compare.evidence import is_refused
from gateline.session.compare.looking import Looking
from gateline.session.compare.measured import Measured, Suite
from gateline.session.compare.project_checks import Checked, ProjectChecks, with_checks
from gateline.session.compare.running import Runs, Watch
from gateline.store.candidates.checkouts import Checkout, Checkouts
from gateline.store.candidates.trees import Base


@dataclass(frozen=True, slots=True)
class Pooled:
    """What was measured of the base and of all candidates."""

    made: Sequence[Made]
    suite: Suite | None
    """That of the base; None where tests were not run."""
    base: Checked | None
    """The project's own checks of the base; None where they were not run."""
    checked: Mapping[str, Checked]
    """Those of candidates, by name."""
    level: Isolation
    """The weakest that was reached."""


@dataclass(frozen=True)
class Here:
    """How this machine measures, side by side as far as it has processors."""

    runs: Runs
    checks: ProjectChecks
    looking: Looking
    places: Checkouts
    base: Base
    watch: Watch | None
    turns: asyncio.Semaphore
    tell: Callable[[str], None]
    tests: bool
    """Whether anything of a candidate is run."""
    _checked: dict[str, Checked] = field(default_factory=dict)

    async def measured(self, known: Sequence[Measured], level: Isolation) -> Pooled:
        """Measure all at a level; what passes at the base ends the runs of others."""
        base = await asyncio.to_thread(self.places.make, 0, self.base.tree, self.base)
        # Without a turn: each candidate that has one waits for it.
        checking = asyncio.create_task(self.checks.of(0, self.base.tree, ())) if self.tests else None
        # Its turn is the first one: what passes at the base ends the runs of others.
        of_base = asyncio.create_task(self._of_base(base))
        try:
            made = await each(self._made(one, place, base, checking) for place, one in enumerate(known, 1))
            suite = await of_base
            return Pooled(made, suite, await checking if checking else None, self._checked, level)
        finally:
            under_way = [task for task in (of_base, checking) if task is not None]
            for task in under_way:
                task.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)

    async def _of_base(self, base: Checkout) -> Suite | None:
        """How the base's tests end, beside those of the candidates."""
        if not self.tests:
            return None
        async with self.turns:
            self.tell("the base: tests")
            root = base.files / self.looking.inside
            return await self.runs.suite(base, root, self.watch, is_base=True)

    async def _made(
        self, known: Measured, place: int, base: Checkout, checking: asyncio.Task[Checked] | None
    ) -> Made:
        name = known.given.name
        async with self.turns:
            made = await asyncio.to_thread(self.places.make, place, known.given.tree, self.base)
            root = made.files / self.looking.inside
            self.tell(f"{name}: types, analyzers, integrity")
            measured = await self.looking.at(known, made, base)
            if checking is not None and not is_refused(measured):
                measured = await self._project_checked(measured, place, await checking)
            if self.tests and not is_refused(measured):
                self.tell(f"{name}: tests")
                measured = replace(measured, suite=await self.runs.suite(made, root, self.watch))
            self.tell(f"{name}: measured")
            return Made(measured, made, root)

    async def _project_checked(self, measured: Measured, place: int, base: Checked) -> Measured:
        """What it fails of the project's own checks that the base does not."""
        given = measured.given
        self.tell(f"{given.name}: lint and build of the project")
        paths = [self.looking.from_root(path) for path in given.changed]
        found = await self.checks.of(place, given.tree, paths)
        self._checked[given.name] = found
        return with_checks(measured, found, base)
