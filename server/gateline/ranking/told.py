"""Strengths and weaknesses of candidates, and duels between each two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from gateline.ranking.criteria import category_scores
from gateline.ranking.order import Placed, deciding
from gateline.ranking.values import Candidate, CategoryDuel, CategoryScore, Duel

_GOOD, _POOR = 0.999, 0.7
_AHEAD = 0.05


def duels(placed: Sequence[Placed]) -> tuple[Duel, ...]:
    """Each two candidates, the better one first."""
    return tuple(_duel(one, other) for one, other in combinations(placed, 2))


def strengths(candidate: Candidate, others: Sequence[Candidate]) -> tuple[str, ...]:
    """What speaks for a candidate, beside the others."""
    return tuple(_strengths(candidate, [one for one in others if not one.blocked]))


def weaknesses(candidate: Candidate, others: Sequence[Candidate]) -> tuple[str, ...]:
    """What speaks against a candidate."""
    return tuple(_weaknesses(candidate, [one for one in others if not one.blocked]))


def _strengths(candidate: Candidate, others: Sequence[Candidate]) -> Iterator[str]:
    if candidate.blocked:
        return
    if candidate.passes and candidate.visible_total:
        yield f"passes all {candidate.visible_total} tests of the task"
    confirming = [name for name, theirs in sorted(candidate.exchanged.items()) if theirs.is_agreement]
    if confirming:
        yield f"passes the new tests of {', '.join(confirming)}"
    if candidate.regressions == 0:
        yield "breaks no test that passed"
    for one, best in _beside(candidate, others):
        if best is not None and one.value is not None and one.value > best + _AHEAD:
            yield f"best in {one.category}: {one.value:.2f}, next {best:.2f}"


def _weaknesses(candidate: Candidate, others: Sequence[Candidate]) -> Iterator[str]:
    yield from (f"{check.check}: {check.reason}" for check in candidate.blocked)
    yield from candidate.floors
    if candidate.blocked:
        return
    total = candidate.visible_total
    if total and candidate.visible_passed < total:
        yield f"fails {total - candidate.visible_passed} of {total} tests of the task"
    for name, theirs in sorted(candidate.exchanged.items()):
        if theirs.passed < theirs.total:
            lost = theirs.total - theirs.passed
            yield f"fails {lost} of {theirs.total} new tests of {name}, which is no regression"
    yield from candidate.remarks
    for one, best in _beside(candidate, others):
        if one.value is None:
            continue
        if best is not None and one.value < best - _AHEAD:
            low = [name for name in one.measured if candidate.criteria[name] < _POOR]
            yield f"behind in {one.category}: {one.value:.2f}, best {best:.2f}" + (
                f" ({', '.join(low)})" if low else ""
            )


def _beside(
    candidate: Candidate, others: Sequence[Candidate]
) -> Iterator[tuple[CategoryScore, float | None]]:
    """Each category with the best value of the others."""
    theirs = [category_scores(one) for one in others if one.name != candidate.name]
    for index, one in enumerate(category_scores(candidate)):
        known = [scores[index].value for scores in theirs]
        yield one, max((value for value in known if value is not None), default=None)


def _duel(one: Placed, other: Placed) -> Duel:
    stage = deciding(one, other)
    return Duel(
        one.candidate.name, other.candidate.name, stage, _reason(one, other, stage), _by_category(one, other)
    )


def _reason(one: Placed, other: Placed, stage: str) -> str:
    if not stage:
        return "equal in every stage"
    mine, theirs = (next(v for v in side.stages if v.stage == stage) for side in (one, other))
    return f"{stage}: {mine.told} against {theirs.told}"


def _by_category(one: Placed, other: Placed) -> tuple[CategoryDuel, ...]:
    pairs = zip(category_scores(one.candidate), category_scores(other.candidate), strict=True)
    return tuple(_category(one, other, mine, theirs) for mine, theirs in pairs)


def _category(one: Placed, other: Placed, mine: CategoryScore, theirs: CategoryScore) -> CategoryDuel:
    if mine.value is None or theirs.value is None:
        return CategoryDuel(mine.category, "", None)
    difference = round(mine.value - theirs.value, 6)
    winner = one if difference > 0 else other
    return CategoryDuel(mine.category, winner.candidate.name if difference else "", difference)
