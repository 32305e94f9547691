"""What results, and files that are collected no more, say of a change beside its base."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from gateline.model import Change, FileStatus, Report, TestRun
from gateline.model.endings import Endings
from gateline.services.tests.run import Collection, Run
from gateline.session.tests import unrun
from gateline.session.tests.base_results import BaseRun, BaseTests
from gateline.session.tests.selecting import Plan
from gateline.session.workspace.reading import is_python
from gateline.testing.chosen import summary
from gateline.testing.failing import Outcomes, reports_of
from gateline.testing.losses import Loss, Sides, losses, place_of
from gateline.testing.naming import CONFIGURATION, is_named_test, is_test, is_written
from gateline.testing.result import Ending, Failure, Item, Result

Reports = Mapping[str, tuple[Report, ...]]


@dataclass(frozen=True, slots=True)
class Before:
    """What became of tests at the base."""

    results: tuple[Result, ...] = ()
    of: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """What a test of now is called there, where that is something else: several, of another parametrising."""
    doubt: str = ""
    """Why that is not known of all; empty when it is."""

    @property
    def passed(self) -> frozenset[str]:
        """Tests of now that passed there."""
        good = frozenset(result.id for result in self.results if result.ending is Ending.PASSED)
        return good | {test for test, there in self.of.items() if there and there <= good}

    @property
    def settled(self) -> frozenset[str]:
        """Tests of now of which it is known what became of them there."""
        known = names(self.results)
        return known | {test for test, there in self.of.items() if there & known}


async def before(
    base: BaseTests, change: Change, collection: Collection | None, tests: Sequence[str]
) -> Before:
    """What became of these tests at the base: by their names there, in renamed files and other parameters."""
    if not tests:
        return Before()
    back = {new: old for old, new in sides_of(change).moved.items()}
    named = {test: _named_before(test, back) for test in tests}
    results = await base.results(change, sorted(named.values()))
    doubt, ended = base.doubt, names(results)
    strange = [test for test, there in named.items() if there not in ended]
    of = {test: frozenset([there]) for test, there in named.items() if there != test}
    if strange and not doubt:
        there = await base.collected(change)
        now = {_named_before(item.id, back) for item in (collection.items if collection else ())}
        alike = {test: _otherwise(named[test], there, now) for test in strange}
        of |= {test: others for test, others in alike.items() if others}
        results += await base.results(change, sorted(frozenset().union(*alike.values())))
        doubt = base.doubt or (there.reason if there.can_start is None else "")
    return Before(results, of, doubt)


def _named_before(test: str, back: Mapping[str, str]) -> str:
    """A test's identifier at the base, by the old paths of renamed files."""
    file, mark, rest = test.partition("::")
    for new, old in back.items():
        if file == new or file.endswith(f"/{new}"):
            return f"{file.removesuffix(new)}{old}{mark}{rest}"
    return test


def _otherwise(test: str, base: BaseRun, now: AbstractSet[str]) -> frozenset[str]:
    """The parameters with which the base runs a test's function, and nothing does now."""
    function = test.partition("[")[0]
    return frozenset(
        item.id for item in base.items if item.id.partition("[")[0] == function and item.id not in now
    )


def compared(about: TestRun, results: Iterable[Result], flaky: Container[str], earlier: Before) -> TestRun:
    """The same; due and not known where a failing test could not be compared with the base."""
    bad = [r.id for r in results if r.is_bad and r.id not in flaky and r.id not in earlier.settled]
    return unrun.not_compared(about, len(bad), earlier.doubt) if earlier.doubt and bad else about


@dataclass(frozen=True, slots=True)
class Sum:
    """What is known of all tests of a change."""

    collection: Collection
    results: tuple[Result, ...]
    lost: tuple[Loss, ...]
    flaky: frozenset[str]
    before: Before
    """What became at the base of those that fail."""
    base: BaseRun

    def reports(self, change: Change) -> tuple[Reports, Reports]:
        """Of the change, and of its base."""
        items = {item.id: item for item in self.collection.items}
        lines = {row.path: row.current.lines for row in change.files if row.current}
        now = Outcomes(items, self.results, self.flaky, self.before.passed, self.lost, lines)
        failed = tuple(result for result in self.before.results if result.is_bad)
        broken = self.base.uncollected
        there = tuple(Loss(r.id, place_of(r.id.partition("::")[0], r.failure), 0, r.failure) for r in broken)
        return _by_path(now), _by_path(Outcomes(items | _items(self.base), failed, lost=there))


def lost_tests(
    change: Change, collection: Collection, run: Run, base: BaseRun, gone: AbstractSet[str] = frozenset()
) -> tuple[Loss, ...]:
    """Files of which the base collects tests, and now nothing is; and others that cannot be imported.

    `gone` are files that are not there any more, also where only a part of the change is judged.
    """
    sides = sides_of(change)
    gone = sides.gone | (gone - sides.moved.keys())
    if not any(row.status is FileStatus.DELETED and not is_test(row.path) for row in change.files):
        # Rules of integrity look after deleted tests in Python; a text with examples goes with code alone.
        gone = frozenset(path for path in gone if is_python(path))
    sides = replace(sides, gone=gone)
    return losses(base.items, collection.items, uncollected(collection, run), sides)


def uncollected(collection: Collection, run: Run) -> tuple[Result, ...]:
    """Files that could not be collected."""
    errors = {error.id: error for error in (*collection.errors, *run.errors)}
    return tuple(
        Result(error.id or error.failure.problem.path, Ending.ERROR, failure=error.failure)
        for error in errors.values()
    )


def sides_of(change: Change) -> Sides:
    """What a change does to its files."""
    rows = (*change.files, *change.others)
    moved = {row.base.path: row.path for row in rows if row.base and row.base.path != row.path}
    gone = frozenset(row.path for row in rows if row.status is FileStatus.DELETED)
    texts = {row.path: (row.base.text, row.current.text) for row in rows if row.base and row.current}
    return Sides(moved, gone, texts)


def _items(base: BaseRun) -> dict[str, Item]:
    return {item.id: item for item in base.items}


def _by_path(outcomes: Outcomes) -> dict[str, tuple[Report, ...]]:
    return {path: (report,) for path, report in reports_of(outcomes).items()}


def start_place(change: Change, failure: Failure | None) -> str:
    """The file at which it is told that nothing can start: where it was raised, else what changed."""
    frames = failure.problem.frames if failure else ()
    raised = next((frame.path for frame in reversed(frames) if frame.ours), "")
    rows = [row.path for row in (*change.others, *change.files) if row.current]
    settings = (path for path in rows if path in CONFIGURATION or path.endswith("conftest.py"))
    return raised or next(settings, "") or next(iter([*rows, *(row.path for row in change.files)]), "")


def names(results: Iterable[Result]) -> frozenset[str]:
    """Their identifiers."""
    return frozenset(result.id for result in results)


def had_tests(change: Change) -> bool:
    """Whether the change touches files of tests that the base has."""
    return any(row.base is not None and is_test(row.base.path) for row in change.files)


def may_miss(
    change: Change, collection: Collection, run: Run, known: Iterable[str], files: Iterable[str]
) -> bool:
    """Whether tests may be missing that the base has, as far as can be told without asking it.

    `known` are the identifiers of tests that ran before, `files` those of the project.
    """
    if collection.errors or run.errors:
        return True
    left = {item.path for item in collection.items} | {
        item.id.partition("::")[0] for item in collection.items
    }
    gone = {row.path for row in change.files if row.current is None}
    rows = (row for row in change.files if row.base and row.current and is_test(row.base.path))
    if any(is_named_test(path) and path not in left for path in files):
        return True
    return any(row.path not in left and is_written(row.base.text) for row in rows if row.base) or any(
        test.partition("::")[0] not in left | gone for test in known
    )


def spoken(
    plan: Plan, run: Run, collection: Collection, results: Sequence[Result], lost: Sequence[Loss]
) -> TestRun:
    """Which tests spoke, or why those that are due did not."""
    total = len(collection.items) + sum(loss.tests for loss in lost)
    known = names(results)
    if late := [test for test in run.left if test not in known]:
        return unrun.too_late(plan.which, len(run.results), total, late)
    if collection.items and not results:
        return unrun.unknown_runs(plan.which, total)
    left = f"{len(run.left)} tests had not run when the time was over" if run.left else ""
    note = "; ".join(part for part in (plan.note, left) if part)
    about = summary(plan.which, plan.reasons, len(run.results), total, note)
    about = replace(about, latency=_latency(run.results), peak_memory=_peak(run.results))
    return unrun.unmeasured(about, plan.unmeasured) if plan.unmeasured else about


def endings_of(results: Sequence[Result], lost: Sequence[Loss], flaky: Container[str]) -> Endings:
    """How many tests passed, failed and were skipped, and which failed."""
    bad = [result.id for result in results if result.is_bad and result.id not in flaky]
    good = sum(r.ending is Ending.PASSED or r.id in flaky for r in results)
    gone = [loss.id for loss in lost]
    failed = len(bad) + sum(max(loss.tests, 1) for loss in lost)
    return Endings(good, failed, len(results) - good - len(bad), (*gone, *bad))


def _latency(results: Sequence[Result]) -> float | None:
    return 1000 * sum(result.seconds for result in results) / len(results) if results else None


def _peak(results: Sequence[Result]) -> float | None:
    known = [result.memory for result in results if result.memory is not None]
    return max(known) / 1_000_000 if known else None


def joined(reports: Reports, coverage: Mapping[str, Report]) -> dict[str, tuple[Report, ...]]:
    """Reports of tests with those of coverage."""
    found = {path: (*reports.get(path, ()), report) for path, report in coverage.items()}
    return {**reports, **found}
