"""The score of a change: the weighted mean over the dimensions that are measured at a checkpoint.

Points are rounded to tenths, and the points of the parts add up to `raw` in tenths exactly. The rounded
score is the one that is judged: nothing is refused at a number that reads as good enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from gateline.gates import floors
from gateline.gates.due import JUDGED, is_due
from gateline.gates.inputs import Availability, GateInput
from gateline.gates.points import apportioned, tenths
from gateline.gates.sources import TESTS, UNKNOWN, due, told, unanswered
from gateline.gates.values import value_of
from gateline.model.evaluation import Part, Score, SourceState
from gateline.model.finding import Dimension
from gateline.model.level import Level
from gateline.model.measure import State
from gateline.model.policy import Policy


def score(policy: Policy, level: Level, given: GateInput) -> Score:
    """The score at `level`, with its breakdown and the floors that cap it."""
    parts = weighted(policy, [_part(policy, level, dimension, given) for dimension in JUDGED])
    raw = total(parts)
    broken = floors.broken(policy, level, given.findings)
    capping = floors.capping(policy, level, given.findings)
    return Score(
        value=_capped(policy, raw, bool(broken), bool(capping)),
        raw=raw,
        evidence=evidence(policy, parts),
        parts=tuple(parts),
        floors=tuple(floors.reason(finding) for finding in broken),
        caps=tuple(floors.reason(finding) for finding in capping),
        credit=given.credit,
    )


def _capped(policy: Policy, raw: float | None, broken: bool, capping: bool) -> float | None:
    if raw is None:
        return None
    return min(raw, *([policy.floor_cap] * broken), *([policy.integrity_cap] * capping), 100.0)


def total(parts: Sequence[Part]) -> float | None:
    """What the points of `parts` add up to; None when no part has a weight."""
    if not any(part.weight for part in parts):
        return None
    return sum(tenths(part.points) for part in parts) / 10


def weighted(policy: Policy, parts: Sequence[Part]) -> list[Part]:
    """`parts` with the weight and points that each measured one has among them."""
    shares = [_share(policy, part) for part in parts]
    whole = sum(shares, Fraction())
    if not whole:
        return list(parts)
    exact = [share / whole * Fraction(part.value or 0) for share, part in zip(shares, parts, strict=True)]
    return [
        replace(part, weight=float(share / whole), points=points / 10)
        for part, share, points in zip(parts, shares, apportioned(exact), strict=True)
    ]


def _share(policy: Policy, part: Part) -> Fraction:
    return Fraction(weight_of(policy, part.dimension)) if part.state is State.MEASURED else Fraction()


def weight_of(policy: Policy, dimension: Dimension) -> float:
    """The weight of a dimension in the settings; 0 for those that are not scored."""
    return float(getattr(policy.weights, dimension.value, 0.0))


def _part(policy: Policy, level: Level, dimension: Dimension, given: GateInput) -> Part:
    known = given.availability.get(dimension, Availability())
    if not is_due(dimension, level):
        return Part(dimension, State.NOT_DUE)
    if known.state is not State.MEASURED:
        return Part(dimension, known.state, known.reason, sources=known.sources)
    value = value_of(policy, dimension, given)
    if value is None:
        return _without_value(dimension, known)
    return Part(
        dimension,
        State.MEASURED,
        reason=known.reason,
        value=value.now,
        before=value.before,
        detail="; ".join(filter(None, (value.detail, known.reason or _answered(known.sources)))),
        sources=known.sources,
    )


def _without_value(dimension: Dimension, known: Availability) -> Part:
    """A dimension in which nothing is to be judged, as far as it is known."""
    silent = unanswered(known.sources)
    if not known.reason or not silent:
        return Part(dimension, State.NOTHING_TO_JUDGE)
    state = max((source.state for source in silent), key=UNKNOWN.index)
    return Part(dimension, state, known.reason, sources=known.sources)


def _answered(sources: Sequence[SourceState]) -> str:
    """How many of the sources answered, and why not all: `2 of 3 sources: tests did not run (no pytest)`."""
    silent, number = unanswered(sources), len(due(sources))
    if not silent:
        return ""
    why = "; ".join(map(told, silent))
    return f"{number - len(silent)} of {number} sources: {why}"


def evidence(policy: Policy, parts: Sequence[Part], *, without_tests: bool = False) -> float:
    """The share of the weight that could be measured, 0-1; 1 when there was nothing to measure.

    A part that is measured by some of its sources counts by their share. `without_tests` leaves out what
    only tests could have told: a person chose that they do not run.
    """
    if without_tests:
        parts = [part for found in parts if (part := _without_tests(found)) is not None]
    weights = {part.dimension: Fraction(weight_of(policy, part.dimension)) for part in parts}
    known = [part for part in parts if part.state is State.MEASURED]
    measured = sum((weights[part.dimension] * _share_of_sources(part) for part in known), Fraction())
    whole = sum(
        (weights[p.dimension] for p in parts if p.state is State.MEASURED or p.state in UNKNOWN), Fraction()
    )
    return round(float(measured / whole), 6) if whole else 1.0


def _without_tests(part: Part) -> Part | None:
    if part.dimension is Dimension.COVERAGE and part.state in UNKNOWN:
        return None
    sources = tuple(source for source in part.sources if source.name != TESTS)
    if part.dimension is Dimension.ERRORS and part.state in UNKNOWN and not unanswered(sources):
        return None
    return replace(part, sources=sources) if part.dimension is Dimension.ERRORS else part


def _share_of_sources(part: Part) -> Fraction:
    sources = due(part.sources)
    return 1 - Fraction(len(unanswered(sources)), len(sources)) if sources else Fraction(1)
