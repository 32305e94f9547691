"""Strategies: the stages that order candidates, each asked only where the ones before leave a tie."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gateline.ranking.agreement import behavioural, textual
from gateline.ranking.criteria import score
from gateline.ranking.values import Candidate, Pool, StageValue, Strategy

_DIGITS = 6
"""Differences that are smaller decide nothing: sums depend on their order there."""
SAME = 1.0 - 1e-9
"""Texts that are at least so alike say the same."""

Tied = Sequence[Candidate]
Value = Callable[[Candidate, Tied, Pool], float | None]


@dataclass(frozen=True, slots=True)
class Stage:
    """One question to each candidate; `tied` are those that all stages before leave together with it."""

    name: str
    value: Value
    told: Callable[[Candidate, float | None], str]


@dataclass(frozen=True, slots=True)
class Placed:
    """A candidate with what each stage says of it."""

    candidate: Candidate
    place: int
    stages: tuple[StageValue, ...]


def ordered(pool: Pool, strategy: Strategy) -> tuple[Placed, ...]:
    """The candidates, the best first; those that no stage tells apart share a place, by name."""
    groups: list[list[Candidate]] = [sorted(pool.candidates, key=lambda one: one.name)]
    values: dict[str, list[StageValue]] = {one.name: [] for one in pool.candidates}
    for stage in STAGES[strategy]:
        groups = [part for group in groups for part in _parted(stage, group, pool, values)]
    placed, place = [], 1
    for group in groups:
        placed += [Placed(one, place, tuple(values[one.name])) for one in group]
        place += len(group)
    return tuple(placed)


def deciding(one: Placed, other: Placed) -> str:
    """The first stage whose values differ; empty when none does."""
    for mine, theirs in zip(one.stages, other.stages, strict=True):
        if mine.value != theirs.value:
            return mine.stage
    return ""


def still_tied(pool: Pool) -> frozenset[str]:
    """The candidates that nothing tells from another one before behaviour is asked."""
    groups: dict[tuple[object, ...], list[str]] = {}
    for one in pool.candidates:
        if not one.blocked:
            groups.setdefault((not one.floors, one.regressions, one.visible), []).append(one.name)
    return frozenset(name for names in groups.values() if len(names) > 1 for name in names)


def _parted(
    stage: Stage, group: list[Candidate], pool: Pool, values: dict[str, list[StageValue]]
) -> list[list[Candidate]]:
    """A group that was tied, by what the stage says; who is not measured comes last."""
    found: dict[float | None, list[Candidate]] = {}
    for one in group:
        value = stage.value(one, group, pool)
        value = None if value is None else round(value, _DIGITS)
        values[one.name].append(StageValue(stage.name, value, stage.told(one, value)))
        found.setdefault(value, []).append(one)
    return [found[value] for value in sorted(found, key=_key, reverse=True)]


def _key(value: float | None) -> tuple[bool, float]:
    return value is not None, value or 0.0


# What stages ask


def _unblocked(one: Candidate, _tied: Tied, _pool: Pool) -> float:
    return float(not one.blocked)


# Whoever a check blocks is asked nothing more: how far it was measured tells nothing of it.
def _floors(one: Candidate, _tied: Tied, _pool: Pool) -> float | None:
    return None if one.blocked else float(not one.floors)


def _regressions(one: Candidate, _tied: Tied, _pool: Pool) -> float | None:
    return None if one.blocked or one.regressions is None else 0.0 - one.regressions


def _visible(one: Candidate, _tied: Tied, _pool: Pool) -> float | None:
    return None if one.blocked else one.visible


def _behaviour(one: Candidate, _tied: Tied, pool: Pool) -> float | None:
    return behavioural(one, pool.candidates)


def _tokens(one: Candidate, tied: Tied, pool: Pool) -> float | None:
    return None if one.blocked else textual(one, [other.name for other in tied], pool)


def _majority(one: Candidate, tied: Tied, pool: Pool) -> float | None:
    if one.blocked:
        return None
    return float(sum(pool.alike(one.name, other.name) >= SAME for other in tied if other is not one))


def _score(one: Candidate, _tied: Tied, pool: Pool) -> float:
    return score(one, pool.weights)


def _told_blocked(one: Candidate, _value: float | None) -> str:
    return "; ".join(f"{check.check}: {check.reason}" for check in one.blocked) or "passed"


def _told_floors(one: Candidate, value: float | None) -> str:
    if value is None:
        return "not asked"
    return "; ".join(one.floors) or "held"


def _told_regressions(one: Candidate, _value: float | None) -> str:
    count = one.regressions
    if one.blocked or count is None:
        return "not asked" if one.blocked else "not measured"
    return f"{count} regression{'' if count == 1 else 's'}"


def _told_visible(one: Candidate, value: float | None) -> str:
    if value is None:
        return "not asked" if one.blocked else "no test of the task"
    return f"{one.visible_passed} of {one.visible_total} tests of the task"


def _told_share(_one: Candidate, value: float | None) -> str:
    return "not measured" if value is None else f"{value:.0%}"


def _told_tokens(_one: Candidate, value: float | None) -> str:
    return "nobody to compare with" if value is None else f"{value:.3f}"


def _told_score(_one: Candidate, value: float | None) -> str:
    return f"{value or 0.0:.3f}"


BLOCKING = Stage("blocking checks", _unblocked, _told_blocked)
FLOORS = Stage("floors", _floors, _told_floors)
REGRESSIONS = Stage("regressions", _regressions, _told_regressions)
VISIBLE = Stage("visible tests", _visible, _told_visible)
BEHAVIOUR = Stage("behavioural agreement", _behaviour, _told_share)
TOKENS = Stage("token agreement", _tokens, _told_tokens)
MAJORITY = Stage("equal patches", _majority, _told_tokens)
SCORE = Stage("weighted score", _score, _told_score)

STAGES: Mapping[Strategy, tuple[Stage, ...]] = MappingProxyType(
    {
        Strategy.EVIDENCE: (BLOCKING, FLOORS, REGRESSIONS, VISIBLE, BEHAVIOUR, TOKENS, SCORE),
        Strategy.WEIGHTED: (BLOCKING, SCORE),
        Strategy.AGENTLESS: (BLOCKING, REGRESSIONS, VISIBLE, MAJORITY),
    }
)
