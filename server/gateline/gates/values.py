"""The value of each scored dimension, 0 to 100, from what was found and measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gateline.gates.inputs import Coverage, GateInput
from gateline.model.evaluation import FunctionChange
from gateline.model.finding import Dimension
from gateline.model.grade import Grade
from gateline.model.policy import Policy, Profile

_USUAL = 10
"""Lines of usual coverage that join the few of a small change: one line more or less should not decide."""


@dataclass(frozen=True, slots=True)
class Value:
    """A dimension's value now and at the base (None: not known), and the numbers behind it."""

    now: float
    before: float | None = None
    detail: str = ""


def value_of(policy: Policy, dimension: Dimension, given: GateInput) -> Value | None:
    """The value of a dimension that was measured; None when there is nothing in it to judge."""
    rule = _RULES.get(dimension)
    return rule(policy, given) if rule else None


def inverse(value: float, best: float, worst: float) -> float:
    """1 at `best` or below, 0 at `worst` or above, linear between."""
    if value <= best:
        return 1.0
    if value >= worst:
        return 0.0
    return (worst - value) / (worst - best)


def _errors(policy: Policy, given: GateInput) -> Value:
    number = sum(finding.stands_for for finding in given.counting(policy, Dimension.ERRORS))
    return _penalty(policy, policy.error_points, number)


def _security(policy: Policy, given: GateInput) -> Value:
    return _penalty(policy, policy.security_points, len(given.counting(policy, Dimension.SECURITY)))


def _integrity(policy: Policy, given: GateInput) -> Value:
    return _penalty(policy, policy.error_points, len(given.counting(policy, Dimension.INTEGRITY)))


def _penalty(policy: Policy, points: float, number: int) -> Value:
    # The base has nothing that is new against itself; where old findings count, its own are not counted.
    if policy.profile is Profile.PLAIN:
        return Value(100 - min(points * number, 100), None, _counted(number, "finding"))
    return Value(100 - min(points * number, 100), 100.0, _counted(number, "new finding"))


def _coverage(policy: Policy, given: GateInput) -> Value | None:
    if given.coverage is None or not given.coverage.executable:
        return None
    covered, executable, before = given.coverage.covered, given.coverage.executable, given.coverage.before
    return Value(
        100 * (covered + added_covered(policy, given.coverage)) / weighed(policy, given.coverage),
        None if before is None else 100 * before,
        f"{covered} of {executable} changed lines and branches covered",
    )


def weighed(policy: Policy, coverage: Coverage) -> int:
    """The number of lines and branches that coverage is a share of: few are joined by usual ones."""
    smoothed = policy.profile is Profile.STANDARD and coverage.executable < policy.coverage_small
    return coverage.executable + (_USUAL if smoothed else 0)


def added_covered(policy: Policy, coverage: Coverage) -> float:
    """How many of the usual lines that few are joined by count as covered."""
    usual = 0.8 if coverage.before is None else min(max(coverage.before, 0.6), 0.95)
    return (weighed(policy, coverage) - coverage.executable) * usual


def _complexity(policy: Policy, given: GateInput) -> Value | None:
    judged = [f for f in given.functions if f.complexity_after is not None]
    if not judged:
        return None
    now = _mean([function_value(policy, f) for f in judged])
    known = [f.complexity_before for f in judged if f.complexity_before is not None]
    before = _mean([_worth(policy, cc, policy.complexity_best) for cc in known]) if known else None
    worst = max(f.complexity_after or 0 for f in judged)
    noun = "function" if given.everything else "changed function"
    return Value(now, before, f"{_counted(len(judged), noun)}, the worst has {worst:g}")


def function_value(policy: Policy, function: FunctionChange) -> float:
    """What one function is worth, 0-100: no worse than its base is as good as simple."""
    best = max(policy.complexity_best, function.complexity_before or 0)
    return _worth(policy, function.complexity_after or 0, best)


def _worth(policy: Policy, complexity: float, best: float) -> float:
    return 100 * inverse(complexity, best, policy.complexity_worst)


def _documentation(policy: Policy, given: GateInput) -> Value | None:
    if not given.documented:
        return None
    now = [item.after for item in given.documented]
    before = [item.before for item in given.documented if item.before is not None]
    return Value(
        100 * sum(now) / len(now),
        100 * sum(before) / len(before) if before else None,
        f"{sum(now)} of {len(now)} new or changed public names documented",
    )


def _duplication(policy: Policy, given: GateInput) -> Value | None:
    if given.duplicated is None:
        return None
    share = 100 * given.duplicated
    return Value(100 - share, detail=f"{share:.1f} % of the lines are duplicated")


def _performance(policy: Policy, given: GateInput) -> Value | None:
    if given.performance is None:
        return None
    grade = next((grade for grade in Grade if given.performance >= grade.points), Grade.F)
    # No milliseconds: the same content must give the same verdict, on whatever machine.
    return Value(given.performance, 100.0, f"grade {grade}: {grade.meaning}")


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _counted(number: int, noun: str) -> str:
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"


_RULES: Mapping[Dimension, Callable[[Policy, GateInput], Value | None]] = MappingProxyType(
    {
        Dimension.ERRORS: _errors,
        Dimension.COVERAGE: _coverage,
        Dimension.SECURITY: _security,
        Dimension.COMPLEXITY: _complexity,
        Dimension.DOCUMENTATION: _documentation,
        Dimension.PERFORMANCE: _performance,
        Dimension.DUPLICATION: _duplication,
        Dimension.INTEGRITY: _integrity,
    }
)
