"""Short ways to make what gates judge."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from gateline.gates.case import Case
from gateline.gates.inputs import Availability, DocumentedChange, GateInput
from gateline.model import (
    Change,
    Dimension,
    Document,
    Evaluation,
    FileChange,
    Finding,
    Level,
    Measure,
    Novelty,
    Part,
    Policy,
    Progress,
    Report,
    Span,
    State,
    Weight,
)
from gateline.model.evaluation import FunctionChange
from gateline.model.policy import Profile, Weights
from gateline.session.tests.unrun import none_there

NO_TESTS = none_there()
"""Of a project without tests."""
CLEAN = "def f(a):\n    return a\n"
EDITED = "def f(a):\n    return a + 1\n"
DIMENSIONS = {
    "GTL1": Dimension.ERRORS,
    "GTL20": Dimension.ERRORS,
    "GTL21": Dimension.COVERAGE,
    "GTL3": Dimension.SECURITY,
    "GTL4": Dimension.COMPLEXITY,
    "GTL5": Dimension.DOCUMENTATION,
}


def finding(
    code: str = "GTL110",
    line: int = 0,
    message: str = "wrong",
    text: str = "",
    *,
    path: str = "a.py",
    symbol: str = "",
    weight: Weight = Weight.COUNTS,
    old: bool = False,
) -> Finding:
    weight = Weight.FLOOR if code in ("GTL101", "GTL310") else weight
    return Finding(
        code=code,
        path=path,
        span=Span.of(line, 0, line, max(len(text), 1)),
        message=message,
        dimension=DIMENSIONS.get(code[:5]) or DIMENSIONS[code[:4]],
        weight=weight,
        symbol=symbol,
        line_text=text,
        novelty=Novelty.OLD if old else Novelty.NEW,
    )


def report(
    dimension: Dimension,
    *findings: Finding,
    state: State = State.MEASURED,
    reason: str = "",
    measures: tuple[Measure, ...] = (),
    analyzer: str = "",
) -> Report:
    return Report(analyzer or dimension.value, dimension, state, reason, findings, measures)


def clean_reports() -> list[Report]:
    return [
        report(Dimension.ERRORS, analyzer="types"),
        *(
            report(d)
            for d in (Dimension.ERRORS, Dimension.SECURITY, Dimension.COMPLEXITY, Dimension.DOCUMENTATION)
        ),
        report(Dimension.DUPLICATION),
        report(Dimension.INTEGRITY),
    ]


def changed(base: str | None, now: str | None, path: str = "a.py", base_path: str = "") -> FileChange:
    before = None if base is None else Document(base_path or path, base)
    after = None if now is None else Document(path, now)
    return FileChange.between(before, after)


def case(*files: FileChange, level: Level = Level.FINAL, policy: Policy | None = None) -> Case:
    change = Change("0" * 40, "HEAD", tuple(files))
    made = Case(policy or Policy(), level, Progress.SAID, change, tests=NO_TESTS)
    return replace(
        made,
        reports={f.path: clean_reports() for f in files if f.current},
        base_reports={f.base.path: clean_reports() for f in files if f.base},
    )


def function(before: float | None, after: float | None) -> FunctionChange:
    return FunctionChange("a.py", "f", 0, before, after)


def documented(*after: bool) -> tuple[DocumentedChange, ...]:
    return tuple(DocumentedChange("a.py", f"f{i}", i, None, now) for i, now in enumerate(after))


FINDINGS = st.lists(
    st.builds(
        finding,
        code=st.sampled_from(["GTL101", "GTL110", "GTL301", "GTL310", "GTL401", "GTL501"]),
        line=st.integers(0, 500),
        weight=st.sampled_from(list(Weight)),
        old=st.booleans(),
    ),
    max_size=15,
).map(tuple)
FUNCTIONS = st.lists(
    st.builds(function, st.none() | st.integers(1, 60), st.none() | st.integers(1, 60)), max_size=6
).map(tuple)
STATES = st.dictionaries(
    st.sampled_from(list(Dimension)), st.sampled_from(list(State)).map(Availability), max_size=4
)
WEIGHTS = (
    st.lists(st.integers(0, 20), min_size=5, max_size=5)
    .filter(any)
    .map(lambda shares: Weights(*(share / sum(shares) for share in shares)))
)
POLICIES = st.builds(Policy, weights=WEIGHTS, profile=st.sampled_from(list(Profile)))
INPUTS = st.builds(
    GateInput,
    availability=STATES,
    findings=FINDINGS,
    functions=FUNCTIONS,
    documented=st.lists(st.booleans(), max_size=7).map(lambda after: documented(*after)),
    duplicated=st.none() | st.floats(0, 1),
)
LEVELS = st.sampled_from(list(Level))


def part(evaluation: Evaluation, dimension: Dimension) -> Part:
    """The part of a score that is of one dimension."""
    return next(p for p in evaluation.score.parts if p.dimension is dimension)


def having(made: Case, *reports: Report, base: bool = False) -> Case:
    """The case, with these reports in the place of those of the same analyzer and dimension."""
    field = "base_reports" if base else "reports"
    known = getattr(made, field)
    told = {(r.dimension, r.analyzer) for r in reports}
    return replace(
        made,
        **{
            field: {
                path: [*(r for r in old if (r.dimension, r.analyzer) not in told), *reports]
                for path, old in known.items()
            }
        },
    )
