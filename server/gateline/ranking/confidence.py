"""How sure the first place is: a formula, and a probability calibrated on a corpus."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from gateline.ranking.agreement import alike, clusters, textual
from gateline.ranking.calibration import COEFFICIENTS, INTERCEPT
from gateline.ranking.criteria import category_scores, evidence
from gateline.ranking.values import Candidate, Confidence, Isolation, Pool, Row

_FULL_GAP = 0.1
ENOUGH_TESTS = 3
"""Fewer visible tests that the base does not pass are weak evidence."""
_TRUST: Mapping[Isolation, float] = MappingProxyType({Isolation.NONE: 0.75})
"""What code that ran without any isolation could have done to its own results."""


def confidence(pool: Pool, rows: Sequence[Row]) -> Confidence:
    """How sure the first of the rows is the right one; 0 of nothing."""
    if not rows:
        return Confidence(0.0, 0.0)
    by_name = {one.name: one for one in pool.candidates}
    first = by_name[rows[0].name]
    trust = min(_TRUST.get(one.isolation, 1.0) for one in pool.candidates)
    shipped = calibrated(pool, first)
    told = pool.recalibration.of(shipped)
    return Confidence(
        round(formula(pool, rows) * trust, 4),
        round(told * trust, 4),
        None if told == shipped else round(shipped * trust, 4),
    )


def formula(pool: Pool, rows: Sequence[Row]) -> float:
    """0.4 · min(1, gap / 0.1) + 0.3 · mean evidence + 0.3 · share of categories that the first wins."""
    by_name = {one.name: one for one in pool.candidates}
    seen = sum(evidence(one) for one in by_name.values()) / len(by_name)
    gap, won = 1.0, 1.0
    if len(rows) > 1:
        gap = max(0.0, rows[0].score - rows[1].score) / _FULL_GAP
        won = _won(by_name[rows[0].name], by_name[rows[1].name])
    return 0.4 * min(1.0, gap) + 0.3 * seen + 0.3 * won


def calibrated(pool: Pool, first: Candidate) -> float:
    """The probability that the first one is right: logistic regression on `features`."""
    found = features(pool, first)
    total = INTERCEPT + sum(COEFFICIENTS[name] * found[name] for name in COEFFICIENTS)
    return 1.0 / (1.0 + math.exp(-total))


def features(pool: Pool, first: Candidate) -> dict[str, float]:
    """What the probability is told by; the gap of scores is not among it, for it tells nothing."""
    candidates = pool.candidates
    passing = [one for one in candidates if one.passes]
    equals = [one for one in candidates if not one.blocked and one.visible == first.visible]
    agreeing = 1 + sum(one.visible == first.visible for one in alike(first, candidates))
    sizes = clusters(equals)
    others = [one.name for one in candidates if one.name != first.name]
    return {
        "passes all": float(first.passes),
        "log of how many pass": math.log1p(len(passing)),
        "log of how many agree": math.log(agreeing),
        "agreeing among equals": agreeing / max(1, len(equals)),
        "second group": (sizes[1] if len(sizes) > 1 else 0) / len(candidates),
        "groups among equals": len(sizes) / max(1, len(equals)),
        "token agreement": textual(first, others, pool) or 0.0,
        "enough tests": float(first.passes and (first.visible_total or 0) >= ENOUGH_TESTS),
    }


def _won(first: Candidate, second: Candidate) -> float:
    pairs = zip(category_scores(first), category_scores(second), strict=True)
    known = [(one.value, two.value) for one, two in pairs if one.value is not None and two.value is not None]
    return sum(mine > theirs for mine, theirs in known) / len(known) if known else 0.0
