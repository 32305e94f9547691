"""From candidates to an explained order with a winner, or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gateline.ranking.acceptance import AcceptanceRules, acceptance
from gateline.ranking.agreement import alike, behaves_like, tests_agree
from gateline.ranking.confidence import ENOUGH_TESTS, confidence
from gateline.ranking.criteria import category_scores, evidence, score
from gateline.ranking.order import SAME, Placed, deciding, ordered
from gateline.ranking.told import duels, strengths, weaknesses
from gateline.ranking.values import Candidate, Confidence, Isolation, Pool, Ranking, Row, Strategy

SURE = 0.6
"""A winner needs this confidence."""
_LEVELS = tuple(Isolation)


def rank(pool: Pool, strategy: Strategy = Strategy.EVIDENCE, rules: AcceptanceRules | None = None) -> Ranking:
    """Order the candidates, and say how sure the first place is."""
    placed = ordered(pool, strategy)
    rows = tuple(_row(one, pool) for one in placed)
    # What a model says may move places; who wins and who is accepted comes from what was measured alone.
    measured = replace(pool, candidates=tuple(replace(one, assessed={}) for one in pool.candidates))
    without = ordered(measured, strategy)
    measured_rows = tuple(_row(one, measured) for one in without)
    sure = confidence(measured, measured_rows)
    doubts = tuple(_doubts(without, measured, sure, strategy))
    first = without[0].candidate if without and not doubts else None
    why = (_why(without) if first else "; ".join(doubts), *_assessed_otherwise(placed, without))
    return Ranking(
        strategy,
        rows,
        first.name if first else "",
        "; ".join(why),
        () if first else tuple(_would_decide(without)),
        sure,
        duels(placed),
        acceptance(measured_rows, first, strategy, sure, rules or AcceptanceRules()),
        max((one.isolation for one in pool.candidates), key=_LEVELS.index, default=Isolation.NONE),
    )


def _row(one: Placed, pool: Pool) -> Row:
    candidate = one.candidate
    return Row(
        candidate.name,
        one.place,
        round(score(candidate, pool.weights), 6),
        round(evidence(candidate), 6),
        one.stages,
        category_scores(candidate),
        candidate.blocked,
        strengths(candidate, pool.candidates),
        weaknesses(candidate, pool.candidates),
    )


def _doubts(placed: Sequence[Placed], pool: Pool, sure: Confidence, strategy: Strategy) -> Iterator[str]:
    """Why there is no clear winner."""
    if not placed:
        yield "there is no candidate"
        return
    first = placed[0].candidate
    if first.blocked:
        yield "every candidate fails a blocking check"
        return
    yield from (f"{first.name} breaks a floor: {floor}" for floor in first.floors)
    equals = [one.candidate for one in placed if one.place == 1]
    # Of those that say or do the same any may be taken.
    if not all(_are_same(first, one, pool) for one in equals[1:]):
        yield f"{', '.join(one.name for one in equals)} are equal in every stage"
    yield from _contradicted(first, pool)
    value, kind = (
        (sure.formula, "formula") if strategy is Strategy.WEIGHTED else (sure.calibrated, "calibrated")
    )
    if value < SURE:
        yield f"the {kind} confidence of {first.name} is {value:.2f}, and a winner needs {SURE:.2f}"


def _assessed_otherwise(placed: Sequence[Placed], without: Sequence[Placed]) -> Iterator[str]:
    """That the first place is by a model's assessment alone."""
    equals = {one.candidate.name for one in without if one.place == 1}
    if placed and placed[0].candidate.name not in equals:
        yield f"only the model's assessment puts {placed[0].candidate.name} first, which decides nothing"


def _contradicted(first: Candidate, pool: Pool) -> Iterator[str]:
    """Tests of two candidates that contradict each other's code, where nobody else agrees with the first."""
    if alike(first, pool.candidates):
        return
    for other in sorted(pool.candidates, key=lambda one: one.name):
        if other is not first and not other.blocked and tests_agree(first, other) is False:
            yield f"{first.name} and {other.name} do not pass each other's tests, and none agrees with it"


def _are_same(one: Candidate, other: Candidate, pool: Pool) -> bool:
    return pool.alike(one.name, other.name) >= SAME or behaves_like(one, other)


def _why(placed: Sequence[Placed]) -> str:
    """Why the first one wins, in a sentence."""
    first = placed[0]
    equals = [one.candidate.name for one in placed if one.place == 1]
    either = f"; equally good: {', '.join(equals[1:])}" if equals[1:] else ""
    if len(equals) == len(placed):
        return (
            f"{first.candidate.name} ties with other candidates in every stage{either}"
            if either
            else "it is the only candidate"
        )
    second = placed[len(equals)]
    stage = deciding(first, second)
    mine, theirs = (next(v.told for v in one.stages if v.stage == stage) for one in (first, second))
    return f"{stage}: {first.candidate.name} has {mine}, {second.candidate.name} {theirs}{either}"


def _would_decide(placed: Sequence[Placed]) -> Iterator[str]:
    """What to find out next."""
    open_ones = [one.candidate for one in placed if not one.candidate.blocked]
    if not open_ones:
        yield "a candidate that passes the blocking checks"
        return
    first = open_ones[0]
    yield from (f"mending this in {first.name}: {floor}" for floor in first.floors)
    total = first.visible_total or 0
    if total < ENOUGH_TESTS:
        yield f"tests of the task: {total} tell the candidates from the base, {ENOUGH_TESTS} are wanted"
    elif not first.passes:
        yield "a candidate that passes all tests of the task"
    if any(one.behaviour is None for one in open_ones):
        yield "a comparison of behaviour, which was not measured for every candidate"
    elif total:
        yield "another independent candidate: how many agree tells most"
