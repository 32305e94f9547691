"""Which of several proposals for the same place is taken: a pure function, whatever their order.

Asked in this order, each only where the ones before leave a tie: does it break a house rule, how much of the
specification does it meet, how sure is its agent, how often was that agent right. Then a person decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

CONFIDENCE_GAP = 0.1
"""What agents say of their own confidence is no finer than this."""
SUCCESS_GAP = 0.1


class DecidedBy(StrEnum):
    """What decided between proposals."""

    ALONE = "nobody else proposes anything"
    HOUSE_RULES = "house rules"
    FIT = "fit to the specification"
    CONFIDENCE = "confidence"
    SUCCESS = "past success"
    PERSON = "a person"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Lines of a file that a proposal replaces, from `first` to before `last`, zero-based."""

    path: str
    first: int
    last: int

    def overlaps(self, other: Edit) -> bool:
        """Whether both change the same lines; two insertions at one place do."""
        if self.path != other.path:
            return False
        if self.first == other.first:
            return True
        return self.first < other.last and other.first < self.last


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an agent would do."""

    agent: str
    edits: frozenset[Edit] = frozenset()
    broken: frozenset[str] = frozenset()
    """The house rules that it breaks."""
    meets: frozenset[str] = frozenset()
    """The acceptance criteria that hold with it."""
    confidence: float = 0.5
    """0-1, as the agent says."""
    right: int = 0
    """How many of the agent's proposals were accepted before."""
    made: int = 0
    """How many there were."""

    @property
    def success(self) -> float:
        """The agent's rate of accepted proposals, 0-1; one half of an agent that nobody knows (Laplace)."""
        return (self.right + 1) / (self.made + 2)


@dataclass(frozen=True, slots=True)
class Resolution:
    """Which proposal is taken, and why."""

    winner: Proposal | None
    """None: a person decides between `left`."""
    decided_by: DecidedBy
    reason: str
    left: tuple[Proposal, ...] = ()
    """What a person decides between, by agent."""


def resolve(proposals: Iterable[Proposal]) -> Resolution:
    """Which of proposals for the same place is taken; None where nothing decides, or all break rules."""
    every = frozenset(proposals)
    lawful = frozenset(one for one in every if not one.broken)
    if not lawful:
        rules = sorted({rule for one in every for rule in one.broken})
        told = f"every proposal breaks a house rule ({', '.join(rules)})" if rules else "nothing is proposed"
        return Resolution(None, DecidedBy.PERSON, told, _listed(every))
    if len(lawful) == 1:
        return _won(lawful, DecidedBy.HOUSE_RULES if len(every) > 1 else DecidedBy.ALONE, every)
    tied = lawful
    for decided_by, value, gap in _STAGES:
        tied = _best(tied, value, gap)
        if len(tied) == 1:
            return _won(tied, decided_by, every)
    names = ", ".join(one.agent for one in _listed(tied))
    told = f"rules, fit, confidence and past success do not tell {names} apart: choose one"
    return Resolution(None, DecidedBy.PERSON, told, _listed(tied))


def conflicting(proposals: Sequence[Proposal]) -> tuple[frozenset[Proposal], ...]:
    """The groups of proposals that change the same lines, directly or through others, of two or more."""
    groups: list[set[Proposal]] = []
    for one in dict.fromkeys(proposals):
        touching = [group for group in groups if any(_overlap(one, other) for other in group)]
        merged = {one}.union(*touching)
        groups = [group for group in groups if group not in touching]
        groups.append(merged)
    found = [frozenset(group) for group in groups if len(group) > 1]
    return tuple(sorted(found, key=lambda group: [_key(one) for one in _listed(group)]))


def _overlap(first: Proposal, second: Proposal) -> bool:
    return any(mine.overlaps(theirs) for mine in first.edits for theirs in second.edits)


def _best(tied: frozenset[Proposal], value: Callable[[Proposal], float], gap: float) -> frozenset[Proposal]:
    """Those less than `gap` behind the best one: measured from it, so that their order does not matter."""
    most = max(map(value, tied))
    # Rounded: 0.9 - 0.8 is less than 0.1 in binary.
    return frozenset(one for one in tied if value(one) >= most or round(most - value(one), 9) < gap)


def _fit(one: Proposal) -> float:
    return len(one.meets)


def _confidence(one: Proposal) -> float:
    return one.confidence


def _success(one: Proposal) -> float:
    return one.success


_STAGES: tuple[tuple[DecidedBy, Callable[[Proposal], float], float], ...] = (
    (DecidedBy.FIT, _fit, 0.0),
    (DecidedBy.CONFIDENCE, _confidence, CONFIDENCE_GAP),
    (DecidedBy.SUCCESS, _success, SUCCESS_GAP),
)


def _won(only: frozenset[Proposal], decided_by: DecidedBy, every: frozenset[Proposal]) -> Resolution:
    (winner,) = only
    others = ", ".join(one.agent for one in _listed(every - only))
    told = f"{winner.agent} before {others}, by {decided_by}" if others else f"{winner.agent}: {decided_by}"
    return Resolution(winner, decided_by, told)


def _listed(proposals: Iterable[Proposal]) -> tuple[Proposal, ...]:
    return tuple(sorted(proposals, key=_key))


def _key(one: Proposal) -> tuple[object, ...]:
    """An order of proposals that hangs on nothing but what they say."""
    sets = (sorted(one.broken), sorted(one.meets), sorted(one.edits))
    return (one.agent, one.confidence, one.right, one.made, *sets)
