"""Criteria, the categories they belong to, and the weighted score."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gateline.ranking.values import Candidate, Category, CategoryScore

WEIGHTS: Mapping[Category, float] = MappingProxyType(
    {
        Category.CORRECTNESS: 0.40,
        Category.QUALITY: 0.25,
        Category.EFFICIENCY: 0.15,
        Category.COMPLETENESS: 0.10,
        Category.SAFETY: 0.10,
    }
)
CRITERIA: Mapping[Category, tuple[str, ...]] = MappingProxyType(
    {
        Category.CORRECTNESS: ("tests", "types", "lint", "build", "regressions", "api"),
        Category.QUALITY: ("complexity", "size", "duplication", "function length"),
        Category.EFFICIENCY: ("run time", "memory"),
        Category.COMPLETENESS: ("requirements met", "documentation", "tests of new code", "changelog"),
        Category.SAFETY: ("security", "secrets", "integrity"),
    }
)
"""What each category is the mean of. A criterion that is not measured leaves the mean."""

ASSESSED: Mapping[Category, tuple[str, ...]] = MappingProxyType(
    {
        Category.CORRECTNESS: ("requirement coverage", "edge cases"),
        Category.QUALITY: ("naming", "error handling"),
        Category.EFFICIENCY: ("algorithm",),
        Category.COMPLETENESS: (),
        Category.SAFETY: ("security review",),
    }
)
"""What a model may say in addition. It is no evidence."""


def ratio(actual: float, target: float) -> float:
    """1 at the target and beyond, in proportion below."""
    return 1.0 if target <= 0 else max(0.0, min(1.0, actual / target))


def inverse(actual: float, baseline: float, worst: float) -> float:
    """1 at the baseline or below, 0 at the worst and beyond, linear between."""
    if actual <= baseline:
        return 1.0
    return 0.0 if actual >= worst else (worst - actual) / (worst - baseline)


def category_scores(candidate: Candidate) -> tuple[CategoryScore, ...]:
    """What a candidate reaches in each category."""
    return tuple(_category(candidate, category) for category in Category)


def score(candidate: Candidate, weights: Mapping[Category, float] | None = None) -> float:
    """The weighted mean of the categories that were measured, 0–1; 0 for one that is blocked.

    Without `weights` by those that are specified.
    """
    if candidate.blocked:
        return 0.0
    known = [
        ((weights or WEIGHTS)[one.category], one.value)
        for one in category_scores(candidate)
        if one.value is not None
    ]
    total = sum(weight for weight, _ in known)
    return sum(weight * value for weight, value in known) / total if total else 0.0


def evidence(candidate: Candidate) -> float:
    """The weight of the criteria that were measured, 0–1."""
    shares = (
        WEIGHTS[one.category] * len(one.measured) / len(CRITERIA[one.category])
        for one in category_scores(candidate)
    )
    return sum(shares)


def _category(candidate: Candidate, category: Category) -> CategoryScore:
    names = CRITERIA[category]
    known = [name for name in names if name in candidate.criteria]
    missing = tuple(name for name in names if name not in candidate.criteria)
    counted = [(candidate.criteria[name], 1.0) for name in known]
    counted += [candidate.assessed[name] for name in ASSESSED[category] if name in candidate.assessed]
    total = sum(weight for _, weight in counted)
    value = sum(score * weight for score, weight in counted) / total if total else None
    return CategoryScore(category, value, tuple(known), missing)
