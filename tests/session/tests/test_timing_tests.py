"""Tests timed beside the base: by ordinary runs, in turns where those suspect some, within their time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from gateline.model import Change, Dimension, Document, FileChange, Report, State
from gateline.services.child import ChildError
from gateline.services.tests.run import Collection, Run
from gateline.session.tests.testing import Tested
from gateline.session.tests.timing import TimingTests
from gateline.testing.outline import Outline
from gateline.testing.result import Ending, Item, Result

FAST, SLOW, EDITED = "tests/test_a.py::test_fast", "tests/test_a.py::test_slow", "tests/test_a.py::test_new"
ITEMS = tuple(Item(test, "tests/test_a.py", 0, test.rpartition("::")[2]) for test in (FAST, SLOW, EDITED))


@dataclass
class Clock:
    """Turned by hand: by what tests take."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@dataclass
class Service:
    """One side: what its tests take, in seconds, and how each run ends."""

    side: str
    clock: Clock
    log: list[str]
    takes: Mapping[str, float]
    endings: Mapping[str, Ending] = field(default_factory=dict)
    starting: float = 0.0
    texts: list[Mapping[str, str | None]] = field(default_factory=list)
    fails: str = ""

    @property
    def collection(self) -> Collection | None:
        return Collection(ITEMS)

    async def run(
        self,
        ids: Sequence[str] | None,
        overlay: Mapping[str, str | None],
        on_result: Callable[[Result], None] | None = None,
        *,
        coverage: bool = True,
        arcs: Sequence[str] = (),
    ) -> Run:
        assert ids is not None
        if self.fails:
            raise ChildError(self.fails)
        self.log.append(f"{self.side} followed" if coverage else self.side)
        self.texts.append(overlay)
        wanted = [test for test in ids if test in self.takes]
        self.clock.seconds += self.starting + sum(self.takes[test] for test in wanted)
        return Run(
            tuple(
                Result(test, self.endings.get(test, Ending.PASSED), self.takes[test], 1_000_000)
                for test in wanted
            )
        )

    async def discover(self, overlay: Mapping[str, str | None], *, arcs: Sequence[str] = ()) -> Run:
        return Run()

    async def outlines(self, texts: Mapping[str, str]) -> Mapping[str, Outline | None]:
        return {}

    async def interrupt(self) -> None: ...

    async def stop(self) -> None: ...


class Bench:
    """Both sides, and a change between them."""

    def __init__(self, before: Mapping[str, float], now: Mapping[str, float], budget: float = 10.0) -> None:
        self.clock, self.log = Clock(), list[str]()
        self.base = Service("base", self.clock, self.log, before)
        self.now = Service("now", self.clock, self.log, now)
        self.known: dict[str, Result] = {}
        self.first: dict[str, float] = {}
        """What tests took in the ordinary run of now; empty: what they take always."""
        self.timing = TimingTests(self.now, self.base, budget, self.clock, times=lambda _: self.known)
        self.tests: tuple[str, ...] | None = tuple(now)

    async def added(self, text: str = "x = 2\n") -> Tested:
        takes = self.first or self.now.takes
        results = tuple(Result(t, Ending.PASSED, took, 1_000_000) for t, took in takes.items())
        tested = Tested({"a.py": (OTHER,)}, run=results, executing=self.tests)
        return await self.timing.added(tested, change(text), {})

    async def report(self, text: str = "x = 2\n") -> Report:
        reports = (await self.added(text)).current["a.py"]
        assert reports[0] is OTHER
        return next(report for report in reports if report.dimension is Dimension.PERFORMANCE)


OTHER = Report("tests", Dimension.ERRORS)
NOTHING = State.NOTHING_TO_JUDGE


def change(text: str = "x = 2\n") -> Change:
    tests = "def test_fast(): ...\n", "def test_fast():  # quick\n    ...\ndef test_new(): ...\n"
    rows = (("a.py", "x = 1\n", text), ("tests/test_a.py", *tests))
    files = tuple(
        FileChange.between(Document(path, before), Document(path, now)) for path, before, now in rows
    )
    return Change("0" * 40, "HEAD", files)


async def test_what_is_as_quick_is_run_once_at_the_base() -> None:
    bench = Bench({FAST: 0.01}, {FAST: 0.01})
    report = await bench.report()
    assert (report.state, bench.log) == (State.MEASURED, ["base followed"])


async def test_what_the_base_took_before_is_not_run() -> None:
    bench = Bench({FAST: 0.01}, {FAST: 0.01})
    bench.known = {FAST: Result(FAST, Ending.PASSED, 0.01)}
    assert (await bench.report()).state is State.MEASURED
    assert bench.log == []


async def test_what_is_suspected_is_run_in_turns_on_the_texts_of_both_sides() -> None:
    bench = Bench({FAST: 0.01}, {FAST: 0.04})
    report = await bench.report()
    assert report.state is State.MEASURED
    assert bench.log == ["base followed", "now followed", *["now", "base", "base", "now"] * 3]
    assert {texts["a.py"] for texts in bench.base.texts} == {"x = 1\n"}
    assert {texts["a.py"] for texts in bench.now.texts} == {"x = 2\n"}


async def test_a_suspicion_that_one_round_does_not_confirm_is_dropped() -> None:
    bench = Bench({FAST: 0.04}, {FAST: 0.04})
    bench.known = {FAST: Result(FAST, Ending.PASSED, 0.01)}
    report = await bench.report()
    assert {m.name: m.value for m in report.measures}["grade_points"] == 100.0
    assert bench.log == ["now followed", "now", "base"]


async def test_a_suspicion_that_a_second_run_does_not_confirm_needs_no_base() -> None:
    bench = Bench({FAST: 0.04}, {FAST: 0.04})
    bench.known = {FAST: Result(FAST, Ending.PASSED, 0.01)}
    bench.first = {FAST: 0.04}
    bench.now.takes = {FAST: 0.01}
    assert (await bench.report()).state is State.MEASURED
    assert bench.log == ["now followed"]


async def test_what_is_slower_is_graded_and_named() -> None:
    tested = await Bench({FAST: 0.01, SLOW: 0.01}, {FAST: 0.01, SLOW: 0.04}).added()
    numbers = {m.name: round(m.value, 2) for r in tested.current["a.py"] for m in r.measures}
    assert numbers == {"latency": 25.0, "peak_memory": 1.0, "grade_points": 0.0}
    assert {m.name: round(m.value, 2) for r in tested.base["a.py"] for m in r.measures}["latency"] == 10.0
    (finding,) = (f for r in tested.current["tests/test_a.py"] for f in r.findings)
    assert finding.message == "`test_slow` takes at least 2 times as long as at the base"


async def test_the_same_texts_are_timed_once() -> None:
    bench = Bench({FAST: 0.01}, {FAST: 0.01})
    first = await bench.report()
    runs = len(bench.log)
    assert (await bench.report(), len(bench.log)) == (first, runs)
    await bench.report("x = 3\n")
    assert len(bench.log) > runs


async def test_a_test_that_was_edited_itself_tells_nothing() -> None:
    bench = Bench({FAST: 0.01, EDITED: 0.01}, {FAST: 0.01, EDITED: 0.09})
    report = await bench.report()
    assert {m.name: m.value for m in report.measures}["grade_points"] == 100.0


@pytest.mark.parametrize(
    ("bench", "state", "reason"),
    [
        (Bench({FAST: 0.01}, {FAST: 0.01}, budget=0), State.NO_DATA, "tests.performance-budget is 0"),
        (Bench({}, {FAST: 0.01}), NOTHING, "no test that passes at the base executes the changed code"),
        (Bench({EDITED: 0.1}, {EDITED: 0.1}), NOTHING, "no test executes the changed code"),
        (
            Bench({SLOW: 8.0}, {SLOW: 8.0}),
            State.NO_DATA,
            "the tests of the change take too long to be timed at the base",
        ),
    ],
)
async def test_why_there_is_no_grade(bench: Bench, state: State, reason: str) -> None:
    report = await bench.report()
    assert (report.state, report.reason, report.measures) == (state, reason, ())


async def test_starting_may_take_all_the_time_there_is() -> None:
    bench = Bench({FAST: 0.01}, {FAST: 0.04})
    bench.base.starting = 4.0
    report = await bench.report()
    assert report.reason == "6 rounds take longer than tests.performance-budget (10 s)"


async def test_a_test_that_fails_now_and_then_ends_it() -> None:
    bench = Bench({FAST: 0.01}, {FAST: 0.04})
    bench.now.endings = {FAST: Ending.FAILED}
    report = await bench.report()
    assert (report.state, report.reason) == (State.NO_DATA, f"{FAST} is flaky")


async def test_a_process_that_dies_loses_only_the_grade() -> None:
    bench = Bench({FAST: 0.01}, {FAST: 0.01})
    bench.base.fails = "the process ended"
    report = await bench.report()
    assert (report.state, report.reason) == (State.FAILED, "the process ended")


async def test_without_coverage_nothing_tells_which_tests_to_time() -> None:
    bench = Bench({FAST: 0.01}, {FAST: 0.01})
    bench.tests = None
    assert (await bench.report()).reason.startswith("coverage.py is not installed")


async def test_nothing_is_run_where_no_test_ran() -> None:
    bench = Bench({}, {})
    assert (await bench.added()).current == {"a.py": (OTHER,)}
    assert bench.log == []
