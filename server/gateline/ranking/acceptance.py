"""Auto-acceptance: whether a winner may be taken without a person. Off unless a person switched it on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from gateline.ranking.confidence import ENOUGH_TESTS
from gateline.ranking.values import Acceptance, Candidate, Category, Confidence, Isolation, Row, Strategy

_FLOORS: Mapping[Category, float] = MappingProxyType(
    {
        Category.CORRECTNESS: 0.90,
        Category.QUALITY: 0.70,
        Category.EFFICIENCY: 0.60,
        Category.COMPLETENESS: 0.80,
        Category.SAFETY: 0.95,
    }
)


@dataclass(frozen=True, slots=True)
class AcceptanceRules:
    """What must hold."""

    enabled: bool = False
    score: float = 0.85
    confidence: float = 0.82
    gap: float = 0.10
    """Between the scores of the first and the second, with the strategy `weighted`."""
    tests: int = ENOUGH_TESTS
    """Visible tests that the base does not pass, and the winner does."""
    floors: Mapping[Category, float] = field(default_factory=lambda: _FLOORS)


def acceptance(
    rows: Sequence[Row],
    winner: Candidate | None,
    strategy: Strategy,
    confidence: Confidence,
    rules: AcceptanceRules,
) -> Acceptance:
    """Whether the winner is accepted; each reason against it, or all that hold."""
    if winner is None:
        return Acceptance(False, ("there is no clear winner",))
    row = next(row for row in rows if row.name == winner.name)
    against = [] if rules.enabled else ["it is switched off (compare.auto-accept)"]
    sure = confidence.formula if strategy is Strategy.WEIGHTED else confidence.calibrated
    against += _too_low("score", row.score, rules.score)
    against += _too_low("confidence", sure, rules.confidence)
    if strategy is Strategy.WEIGHTED and len(rows) > 1:
        against += _too_low("gap between the scores", row.score - rows[1].score, rules.gap)
    against += _of_evidence(winner, rules)
    against += _of_floors(row, rules)
    if against:
        return Acceptance(False, tuple(against))
    held = f"score {row.score:.2f}, confidence {sure:.2f}, floors and {winner.visible_total} new tests hold"
    return Acceptance(True, (held, *_unmeasured(row)))


def _of_evidence(winner: Candidate, rules: AcceptanceRules) -> Iterator[str]:
    if (winner.visible_total or 0) < rules.tests:
        count = winner.visible_total or 0
        yield f"only {count} tests tell it from the base; {rules.tests} are needed"
    if winner.isolation is Isolation.NONE:
        yield "its code ran without isolation"
    yield from (f"integrity: {finding}" for finding in winner.integrity)


def _of_floors(row: Row, rules: AcceptanceRules) -> Iterator[str]:
    for one in row.categories:
        if one.value is not None:
            yield from _too_low(one.category, one.value, rules.floors[one.category])
        elif one.category is Category.CORRECTNESS:
            yield "correctness was not measured"


def _unmeasured(row: Row) -> Iterator[str]:
    for one in row.categories:
        if one.value is None:
            yield f"{one.category} was not measured, so its floor was not asked"


def _too_low(what: str, value: float, least: float) -> list[str]:
    return [f"{what} {value:.2f} is below {least:.2f}"] if value < least - 1e-9 else []
