"""What is measured: times, what measuring costs, what selection misses, and whether the answers are right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from gateline.session.tests.selecting import Wanted, Which, overlay_of
from gateline.testing.covered import Covered
from gateline.testing.outline import Outline
from gateline.testing.trace import lines_of
from gateline_dev.affected import cold
from gateline_dev.affected.desk import Desk
from gateline_dev.affected.edits import Edit, anything, harmless, regression
from gateline_dev.bench.results import quantile

Tell = Callable[[str], None]
Make = Callable[[str, str, Random], Edit | None]


@dataclass
class Latency:
    """Seconds from an edit to its first result, and of a cold pytest of the same tests.

    Of edits that need a new collection only the first result, apart.
    """

    first: list[float] = field(default_factory=list)
    anew: list[float] = field(default_factory=list)
    """Of those whose function ran while the tests were collected: seconds to the first result."""
    whole: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    """Of all tests, how many were chosen, 0-1."""


async def latency(desk: Desk, edits: int, dice: Random, tell: Tell, *, beside: bool = True) -> Latency:
    """Edits of bodies, each beside the last saved text; `beside` runs pytest on the same tests, too."""
    found = Latency()
    for edit in _edits(desk, harmless, edits, dice):
        tell(edit.what)
        # What the edit before was collected for is no matter of this one.
        await desk.runner.discover({})
        collected = desk.runner.collection
        tested, times = await desk.said({edit.path: edit.text})
        if not times:
            continue
        if desk.runner.collection is not collected:
            found.anew.append(times[0])
            continue
        about = tested.about
        found.shares.append(about.run / about.total if about and about.total else 1.0)
        found.first.append(times[0])
        found.whole.append(times[-1])
        if beside:
            with cold.written(desk.copy, {edit.path: edit.text}) as root:
                found.cold.append((await cold.endings(desk.copy, root, [r.id for r in tested.run]))[1])
    return found


@dataclass
class Overhead:
    """Processor seconds of warm runs of all tests, in pairs: without and with coverage and contexts.

    Of ours and of the runner's processes. By the clock, a run that waits for other work would count double.
    """

    plain: list[float] = field(default_factory=list)
    measured: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)
    """Of a cold pytest, which begins with imports and the collection."""

    @property
    def ratio(self) -> float | None:
        """With ÷ without: the middle of all pairs; None when nothing was measured."""
        pairs = zip(self.plain, self.measured, strict=True)
        return quantile([with_it / without for without, with_it in pairs if without], 0.5)

    @property
    def beside_cold(self) -> float | None:
        """With coverage and contexts ÷ a cold pytest, likewise."""
        pairs = zip(self.cold, self.measured, strict=True)
        return quantile([with_it / cold for cold, with_it in pairs if cold], 0.5)


async def overhead(desk: Desk, pairs: int, tell: Tell) -> Overhead:
    """The same run without and with coverage, one after the other, now this first and now that."""
    found = Overhead()
    for number in range(pairs + 1):
        for coverage in (False, True) if number % 2 else (True, False):
            tell(f"run {number} {'with' if coverage else 'without'} coverage")
            before = desk.processor_seconds()
            await desk.runner.run(None, {}, coverage=coverage)
            # The first pair warms.
            if number:
                kind = found.measured if coverage else found.plain
                kind.append(desk.processor_seconds() - before)
        if number:
            found.cold.append(await desk.cold_seconds())
    return found


@dataclass
class Recall:
    """What selection finds of seeded regressions."""

    caught: int = 0
    """Regressions that some test fails for."""
    found: int = 0
    """Those of which every such test was selected."""
    missed: list[str] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)


async def recall(desk: Desk, seeds: int, dice: Random, tell: Tell) -> Recall:
    """Regressions, each beside the distributed text: the tests that fail for it must have been selected."""
    said = Recall()
    before = {test for test, ending in (await desk.endings()).items() if ending not in ("passed", "skipped")}
    for edit in _edits(desk, regression, seeds, dice):
        change = desk.change({edit.path: edit.text})
        overlay = overlay_of(change, {})
        await desk.runner.discover(overlay)
        if (collection := desk.runner.collection) is None:
            continue
        plan = await desk.selecting.plan(collection, overlay, change, Wanted(Which.AFFECTED))
        selected = set(plan.ids or ())
        run = await desk.runner.run(None, overlay, coverage=False)
        failing = {result.id for result in run.results if result.is_bad} - before
        tell(f"{edit.what}: {len(selected)} selected, {len(failing)} fail")
        said.shares.append(len(selected) / max(len(collection.items), 1))
        said.caught += bool(failing)
        said.found += bool(failing) and failing <= selected
        said.missed += [f"{edit.what}: {test}" for test in sorted(failing - selected)]
    return said


@dataclass
class Sameness:
    """Whether what an editor shows is what a cold run says."""

    edits: int = 0
    wrong: list[str] = field(default_factory=list)
    """Tests with another ending, or that are missing."""
    unsteady: list[str] = field(default_factory=list)
    """The same of tests whose ending is another one in each cold run: nobody can say what is right."""
    followed: list[str] = field(default_factory=list)
    """The same of tests that end in a cold run as shown once coverage follows them, and only then."""
    lines: list[str] = field(default_factory=list)
    """Lines that were shown covered and are not."""
    refused: list[float] = field(default_factory=list)
    """Seconds from asking about an edit that needs a new collection to knowing that it does."""


@dataclass
class Refusals:
    """How soon it is known of an edit that the collected tests do not stand for it."""

    edits: int = 0
    refused: list[float] = field(default_factory=list)
    """Seconds from the question to the answer, of those that need a new collection."""


async def refusals(desk: Desk, edits: int, dice: Random, tell: Tell) -> Refusals:
    """Edits of any kind, each beside the distributed text; nothing is collected for them."""
    found = Refusals()
    for edit in _edits(desk, anything, edits, dice):
        desk.unsaved = {edit.path: edit.text}
        seconds = await desk.refusal()
        tell(f"{edit.what}: {'stands' if seconds is None else f'{seconds * 1000:.1f} ms'}")
        found.edits += 1
        found.refused += [] if seconds is None else [seconds]
    desk.unsaved = {}
    return found


@dataclass
class Differing:
    """Tests of which something else is shown than a cold run says."""

    wrong: list[str] = field(default_factory=list)
    unsteady: list[str] = field(default_factory=list)
    followed: list[str] = field(default_factory=list)


async def sameness(desk: Desk, edits: int, dice: Random, tell: Tell, *, coverage: bool = True) -> Sameness:
    """A sequence of edits that are never saved; after each the affected tests run, and all of them cold."""
    said = Sameness()
    while said.edits < edits:
        edit = desk.typed(dice)
        if edit is None:
            continue
        if (seconds := await desk.refusal()) is not None:
            said.refused.append(seconds)
        tested, _ = await desk.said(desk.unsaved)
        try:
            with cold.written(desk.copy, desk.unsaved) as root:
                truth, _ = await cold.endings(desk.copy, root)
                shown = await desk.endings()
                found = Differing() if truth is None else await compared(desk, root, shown, truth)
        except TimeoutError:
            truth = None
        if truth is None:
            tell(f"{edit.what}: a cold run does not come to its end")
            desk.unsaved.clear()
            continue
        said.edits += 1
        counts = ((found.wrong, "differ"), (found.unsteady, "unsteady"), (found.followed, "by coverage"))
        parts = (f"{len(tests)} {kind}" for tests, kind in counts)
        tell(f"{edit.what}: {len(tested.run)} ran, {', '.join(parts)}")
        said.wrong += [f"{edit.what}: {t}: {shown.get(t)}, cold {truth.get(t)}" for t in found.wrong]
        said.unsteady += [f"{edit.what}: {t}" for t in found.unsteady]
        said.followed += [f"{edit.what}: {t}" for t in found.followed]
        if coverage:
            said.lines += await _shown_wrongly(desk, edit)
    return said


async def compared(desk: Desk, root: Path, shown: Mapping[str, str], truth: Mapping[str, str]) -> Differing:
    """The tests of which something else is shown, by what more cold runs say of them.

    Some tests of real projects depend on the clock: on a busy machine they fail now and then. Others depend
    on when garbage is collected, which is another time as soon as a tracer holds on to frames.
    """
    differing = sorted(test for test in shown.keys() | truth.keys() if shown.get(test) != truth.get(test))
    if not differing:
        return Differing()
    again, _ = await cold.endings(desk.copy, root)
    # One that did not come to its end says nothing.
    found = Differing(unsteady=[t for t in differing if again is not None and again.get(t) != truth.get(t)])
    steady = [test for test in differing if test not in found.unsteady]
    followed, _ = await cold.endings(desk.copy, root, measured=True) if steady else ({}, 0.0)
    found.followed = [t for t in steady if followed is not None and _same(t, followed, shown)]
    found.wrong = [test for test in steady if test not in found.followed]
    return found


def _same(test: str, one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return test in one and one[test] == other.get(test)


async def _shown_wrongly(desk: Desk, edit: Edit) -> list[str]:
    """Covered lines that a run of all does not execute."""
    change = desk.change(desk.unsaved)
    _, lines = await desk.tests.coverage(change, {})
    run = await desk.fresh.run(None, overlay_of(change, {}))
    collection = desk.fresh.collection
    if run.replaced or collection is None:
        return []
    outlines = await desk.runner.outlines({path: desk.unsaved[path] for path in lines})
    wrong = []
    for path, covered in lines.items():
        outline = outlines.get(path)
        traces = [trace.files[path] for trace in (*run.traces, collection.imported) if path in trace.files]
        executed = {line for trace in traces for line in lines_of(trace.lines)}
        if isinstance(covered, Covered) and isinstance(outline, Outline):
            extra = covered.executed - outline.executed(executed)
            wrong += [f"{edit.what}: {path}:{line + 1}" for line in sorted(extra)]
    return wrong


def _edits(desk: Desk, make: Make, number: int, dice: Random) -> Iterator[Edit]:
    """That many edits of files of the package, each of the text as distributed."""
    made = 0
    while made < number:
        path = dice.choice(desk.copy.sources())
        edit = make(path, desk.copy.text(path), dice)
        if edit is not None:
            made += 1
            yield edit
