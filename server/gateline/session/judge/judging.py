"""Judges a change: gathers what every analyzer says of both sides, and lets the gates decide."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gateline.gates.case import Case
from gateline.gates.sources import TYPES
from gateline.gates.waivers import NONE, Waivers
from gateline.model import (
    Change,
    Dimension,
    Document,
    Evaluation,
    FileChange,
    FileStatus,
    Level,
    Report,
    State,
    TestRun,
)
from gateline.session.judge.duplicates import Duplicates
from gateline.session.judge.engine import Engine
from gateline.session.judge.request import Inspected, Request
from gateline.session.tests.testing import OnResult, Tested, Tests, Wanted, Which, usual
from gateline.session.tests.trees import Tree
from gateline.session.types.services import Reports, Texts
from gateline.session.types.types import Typed, Types
from gateline.session.workspace import unreadable
from gateline.session.workspace.changes import EVERYTHING, Collector
from gateline.session.workspace.dependents import Surroundings
from gateline.session.workspace.interpreter import Interpreter, shown
from gateline.settings.model import Settings

Tell = Callable[[str], None]


@dataclass
class Judging:
    """The engine and the type checker of one workspace, asked about whole changes."""

    engine: Engine
    types: Types
    tests: Tests
    settings: Settings
    collector: Collector
    surroundings: Surroundings
    interpreter: Interpreter
    waivers: Waivers = NONE
    """What the base accepts, and whoever asks."""
    _duplicates: Duplicates = field(init=False)

    def __post_init__(self) -> None:
        self._duplicates = Duplicates(self.engine, self.collector, self.surroundings)

    async def evaluate(self, request: Request, tell: Tell | None = None) -> Evaluation:
        """Judge a change whose types and tests are known. Raises ChildError when the worker cannot judge."""
        change, level, typed, tested = request.change, request.level, request.typed, request.tested
        found = request.inspected or await self.inspected(change, level, request.around, tell)
        now = _joined(found.current, typed.current, tested.current)
        before = _joined(found.base, typed.base, tested.base)
        tests = self._with_interpreter(tested.about)
        case = Case(self.settings.policy(), level, request.progress, change, now, before, tests=tests)
        return await self._judged(case)

    async def inspected(
        self, change: Change, level: Level, around: Texts, tell: Tell | None = None
    ) -> Inspected:
        """What analyzers say of both sides of a change: the part of a verdict that runs nothing.

        `around` is what could be part of it, and lies over the disk.
        """
        thorough = level is Level.FINAL
        found = Inspected({}, {})
        for number, row in enumerate(change.files, 1):
            _say(tell, f"{number}/{len(change.files)} {row.path}")
            if row.current:
                found.current[row.path] = await self.engine.inspect(
                    row.current, row.base, thorough=thorough, is_added=_is_added(change, row)
                )
            if row.base:
                found.base[row.base.path] = await self.engine.inspect(row.base, None, thorough=thorough)
        looked = await self.engine.look_through(
            [(row.current, row.base, _is_added(change, row)) for row in change.others if row.current]
        )
        found.current.update(
            {path: (report,) for path, report in (looked | unreadable.uncounted(change)).items()}
        )
        for side, unread in zip((found.current, found.base), unreadable.reports(change), strict=True):
            side.update({path: (report,) for path, report in unread.items()})
        if thorough and self.settings.duplication.enabled:
            _say(tell, "looking for duplicated code")
            for path, report in (await self._duplicates.of_change(change, around)).items():
                found.current[path] = (*found.current[path], report)
        return found

    def _with_interpreter(self, about: TestRun | None) -> TestRun | None:
        """The same with the interpreter, where tests are run at all."""
        if about is None or about.chosen or about.state is State.NOTHING_TO_JUDGE:
            return about
        python = shown(self.interpreter.path, self.collector.root)
        return replace(about, python=python, python_why=self.interpreter.why)

    async def typed(self, change: Change, around: Texts) -> Typed:
        """What an ordinary run of the type checker says of a change and of what imports it.

        What the change imports for the first time, or what the base imports in a text that does not parse, is
        looked at on both sides: its errors may be old.
        """
        beside = await asyncio.to_thread(self.surroundings.importers, change) if self.types.service else []
        while True:
            typed = await self.types.of_change(change, around, beside)
            more = await asyncio.to_thread(self._further, change, beside, typed)
            if not more:
                return self._without_excluded(typed)
            beside = [*beside, *more]

    def _further(self, change: Change, beside: Sequence[Document], typed: Typed) -> list[Document]:
        """The unchanged files that have to be looked at as well. Blocks."""
        further = self.surroundings.beyond(change, beside, typed.left_out)
        reached = [path for path in sorted(typed.first_reached) if not self.collector.is_out(path)]
        return [*further, *self.surroundings.documents(reached).values()]

    def _without_excluded(self, typed: Typed) -> Typed:
        """Of an excluded document that is open, the text counts for others, and nothing is said of it."""
        is_out = self.collector.is_out
        current, base = (
            {p: r for p, r in side.items() if not is_out(p)} for side in (typed.current, typed.base)
        )
        return replace(typed, current=current, base=base)

    async def tested(
        self, change: Change, around: Tree, which: Which | None, level: Level, on_result: OnResult
    ) -> Tested:
        """What tests say of a change (`which` None: the usual ones). The person has agreed to run them.

        `around` is laid over the disk where not the disk is judged.
        """
        wanted = Wanted(which or usual(level), affordable=which is None)
        tested = await self.tests.of_change(change, around.files, wanted, on_result)
        tested = _noted(tested, around.unlaid)
        return await self.tests.timed(tested, change, around.files) if level is Level.FINAL else tested

    def files_changed(self) -> None:
        """Files were written: what is around a change is looked for again."""
        self.surroundings.files_changed()

    async def stop(self) -> None:
        """End all processes."""
        await asyncio.gather(self.engine.stop(), self.types.stop(), self.tests.stop())

    async def _judged(self, case: Case) -> Evaluation:
        """Add what the settings say and what the disk has, and let the worker decide."""
        paths = sorted({*case.reports, *(row.path for row in case.change.files)})
        changed = {row.path for row in case.change.files}
        others = [path for path in case.reports if path not in changed]
        unchanged = await asyncio.to_thread(self.surroundings.documents, others)
        around = await asyncio.to_thread(self.surroundings.tests, case.change) if self._is_guarded else {}
        ignored = {path: codes for path in paths if (codes := self.settings.ignored(path))}
        evaluation: Evaluation = await self.engine.judge(
            replace(
                case,
                unchanged=unchanged,
                around=around,
                ignored=ignored,
                waivers=self.waivers.holding,
                notes=self.waivers.problems,
                off=_switched_off(self.settings),
                off_sources=frozenset() if self.settings.types.enabled else frozenset({TYPES}),
            )
        )
        return evaluation

    @property
    def _is_guarded(self) -> bool:
        return self.settings.integrity.enabled


def _is_added(change: Change, row: FileChange) -> bool:
    """Whether the change brings a whole file; where every file counts as new, none is told to."""
    return row.status is FileStatus.ADDED and change.base_label != EVERYTHING


def _noted(tested: Tested, unlaid: Sequence[str]) -> Tested:
    """Say which files of the index tests did not see."""
    if not (unlaid and tested.about):
        return tested
    told = f"tests saw these files as on disk, not as in the index: {', '.join(unlaid)}"
    note = "; ".join(part for part in (tested.about.note, told) if part)
    return replace(tested, about=replace(tested.about, note=note))


def _joined(
    reports: Mapping[str, Sequence[Report]], typed: Reports, tested: Mapping[str, Sequence[Report]]
) -> dict[str, tuple[Report, ...]]:
    types = {path: (report,) for path, report in typed.items()}
    paths = sorted({*reports, *types, *tested})
    return {p: (*reports.get(p, ()), *types.get(p, ()), *tested.get(p, ())) for p in paths}


def _switched_off(settings: Settings) -> frozenset[Dimension]:
    """The dimensions of which nothing is looked for. Errors are always: a text must at least parse."""
    on = {
        Dimension.SECURITY: settings.security.enabled or settings.secrets.enabled,
        Dimension.COMPLEXITY: settings.complexity.enabled,
        Dimension.DOCUMENTATION: settings.documentation.enabled,
        Dimension.DUPLICATION: settings.duplication.enabled,
        Dimension.COVERAGE: settings.tests.enabled,
        Dimension.INTEGRITY: settings.integrity.enabled,
    }
    return frozenset(dimension for dimension, looked_for in on.items() if not looked_for)


def _say(tell: Tell | None, step: str) -> None:
    if tell is not None:
        tell(step)
