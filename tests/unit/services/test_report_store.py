"""A verdict is the same whether its reports are in the worker, were dropped there, or were never there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hypothesis import given
from hypothesis import strategies as st

from gateline.gates.case import Case
from gateline.model import Change, Dimension, Level, Measure, Policy, Progress, Report, State
from gateline.services.child import PICKLE
from gateline.services.report_store import ReportStore
from gateline.services.requests import Judge, Missing
from gateline.session.judge.known_reports import KnownReports

CASE = Case(Policy(), Level.FINAL, Progress.SAID, Change("base", "HEAD"))
NAMES = st.text("abcdef", min_size=1, max_size=1)
"""Few, so that they come again."""


def report(name: str, measures: int = 0, state: State = State.MEASURED) -> Report:
    made = tuple(Measure(f"{name}{n}", n) for n in range(measures))
    return Report("types", Dimension.ERRORS, state, name, measures=made)


@dataclass
class Ends:
    """Both ends of the pipe; what goes through is pickled."""

    near: KnownReports
    kept: int
    far: ReportStore = field(init=False)
    asked: int = 0

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        self.far = ReportStore(self.kept)

    def made(self, name: str, size: int) -> Report:
        """A report that the worker makes, unless it is known, as `Engine.inspect` has it."""
        if (known := self.near.get(name)) is not None:
            return known
        new = report(name, size)
        self.far.keep(name, new)
        received: Report = through(new)
        self.near.put(name, received)
        return received

    def judged(self, case: Case, request: Judge) -> Case:
        names = self.near.names(case)
        while isinstance(found := self.far.case_of(through(request)), Missing):
            self.asked += 1
            assert found.names and not set(found.names) & set(request.sent)
            request = replace(request, sent={**request.sent, **{name: names[name] for name in found.names}})
        return found


def through(value: object) -> object:
    return PICKLE.loads(PICKLE.dumps(value))


STEPS = st.one_of(
    st.just("restart"),
    st.tuples(
        st.lists(st.tuples(NAMES, st.integers(0, 4)), max_size=5),
        st.lists(st.tuples(NAMES, st.integers(0, 4)), max_size=5),
    ),
)


@given(st.integers(1, 6), st.integers(1, 12), st.lists(STEPS, max_size=12))
def test_what_is_judged_is_what_was_found(most: int, kept: int, steps: list[object]) -> None:
    ends = Ends(KnownReports(most), kept)
    for step in steps:
        if not isinstance(step, tuple):
            ends.restart()
            continue
        now, before = step
        # Reports of types and tests are made on this side; one that was changed is another one.
        beside = (report("own"), report("failed", state=State.FAILED))
        reports = {f"{n}.py": (ends.made(name, size), *beside) for n, (name, size) in enumerate(now)}
        base = {f"{n}.py": (ends.made(name, size),) for n, (name, size) in enumerate(before)}
        base["changed.py"] = tuple(replace(one, reason="x") for found in base.values() for one in found)
        case = replace(CASE, reports=reports, base_reports=base)
        assert ends.judged(case, ends.near.asked(case)) == case


def test_only_what_is_missing_is_asked_for_and_it_is_kept() -> None:
    ends = Ends(KnownReports(), 100)
    case = replace(CASE, reports={"a.py": (ends.made("a", 3),)}, base_reports={"a.py": (ends.made("b", 3),)})
    for restarts, asked in ((0, 0), (0, 0), (1, 1), (0, 1)):
        if restarts:
            ends.restart()
        assert ends.judged(case, ends.near.asked(case)) == case
        assert ends.asked == asked
    assert ends.far.case_of(replace(ends.near.asked(case), reports={"a.py": ("c",)})) == Missing(("c",))


def test_a_request_has_no_report_that_the_worker_made() -> None:
    ends = Ends(KnownReports(), 100)
    made, own = ends.made("a", 3), report("own")
    request = ends.near.asked(replace(CASE, reports={"a.py": (made, own, replace(made))}))
    assert request.reports == {"a.py": ("a", own, made)}
    assert request.case.reports == {}


def test_a_report_that_failed_or_has_no_name_is_not_kept() -> None:
    store = ReportStore()
    store.keep("", report("a"))
    store.keep("a", report("a", state=State.FAILED))
    request = Judge(CASE, {"a.py": ("", "a")})
    assert store.case_of(request) == Missing(("", "a"))


def test_what_is_larger_than_the_store_is_judged_all_the_same() -> None:
    ends = Ends(KnownReports(), 2)
    case = replace(CASE, reports={f"{name}.py": (ends.made(name, 9),) for name in "abc"})
    assert ends.judged(case, ends.near.asked(case)) == case


def test_a_report_that_was_replaced_is_not_sent_by_its_name() -> None:
    near = KnownReports(2)
    old, new = report("a"), report("a", 1)
    near.put("a", old)
    near.put("a", new)
    case = replace(CASE, reports={"a.py": (old, new)})
    assert near.asked(case).reports == {"a.py": (old, "a")}
    assert near.names(case) == {"a": new}
    for name in "bc":
        near.put(name, report(name))
    assert near.asked(case).reports == {"a.py": (old, new)}
