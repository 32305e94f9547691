"""What is known of candidate solutions, and what a ranking says of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar


class Strategy(StrEnum):
    """How candidates are ordered."""

    EVIDENCE = "evidence"
    """Lexicographic: the first piece of evidence that differs decides."""
    WEIGHTED = "weighted"
    """The weighted score alone."""
    AGENTLESS = "agentless"
    """Fewest regressions, visible tests, then the majority of equal patches."""


class Category(StrEnum):
    """What criteria are summed up in."""

    CORRECTNESS = "correctness"
    QUALITY = "quality"
    EFFICIENCY = "efficiency"
    COMPLETENESS = "completeness"
    SAFETY = "safety"


class Isolation(StrEnum):
    """How far code of a candidate was kept from everything else."""

    BUBBLEWRAP = "bubblewrap"
    LANDLOCK = "landlock"
    RLIMITS = "rlimits"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Blocked:
    """A blocking check that a candidate fails: its score is 0, and later stages are skipped."""

    check: str
    """`applies`, `parses`, `types`, `lint`, `build` or `tests`."""
    reason: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """How a candidate does with the new tests of another one, of those that the base does not pass."""

    passed: int
    total: int
    """That ran on it: what cannot be collected beside its code says nothing."""
    confirmed: int = 0
    """Of these, those that somebody passes who did not write them."""

    @property
    def is_agreement(self) -> bool:
        """Whether it passes all of them, of at least one."""
        return 0 < self.total == self.passed


@dataclass(frozen=True, slots=True)
class Candidate:
    """One possible solution, and all that was found out about it."""

    name: str
    blocked: tuple[Blocked, ...] = ()
    floors: tuple[str, ...] = ()
    """Broken ones: a candidate with such a finding is no winner."""
    integrity: tuple[str, ...] = ()
    """Findings that say that it games its checks."""
    regressions: int | None = None
    """Tests that pass at the base and do not with it; None: not measured."""
    visible_passed: int = 0
    visible_total: int | None = None
    """Tests that the base does not pass already; None: not measured."""
    behaviour: tuple[str | None, ...] | None = None
    """What it answers to each input that all candidates were given; None in it is an error or a time-out, and
    instead of it: not measured."""
    exchanged: Mapping[str, Exchange] = field(default_factory=dict)
    """How it does with the new tests of others, by their names; who is not there was not asked."""
    criteria: Mapping[str, float] = field(default_factory=dict)
    """0–1 by criterion; what is not there was not measured."""
    assessed: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """What a model says, by criterion: 0–1, and how much it counts beside one that was measured, 0–1."""
    remarks: tuple[str, ...] = ()
    """What else speaks against it, for people."""
    isolation: Isolation = Isolation.BUBBLEWRAP
    """How its code was run."""

    @property
    def visible(self) -> float | None:
        """The share of the visible tests that it passes; None where there are none."""
        return self.visible_passed / self.visible_total if self.visible_total else None

    @property
    def passes(self) -> bool:
        """Whether nothing blocks it and it passes all visible tests, of which there is at least one.

        Where there is none, those that other candidates bring count in their place, as far as somebody
        passes them who did not write them. Its own never do: it would grade itself.
        """
        if self.blocked:
            return False
        if self.visible_total:
            return self.visible_passed == self.visible_total
        confirmed = sum(one.confirmed for one in self.exchanged.values())
        return 0 < confirmed == sum(one.passed for one in self.exchanged.values())


Similarity = Mapping[tuple[str, str], float]
"""How alike the texts of two candidates are, 0–1, by their names in order."""


@dataclass(frozen=True, slots=True)
class Recalibration:
    """A correction of the calibrated probability, on the scale of logits, that a person accepted."""

    offset: float = 0.0
    slope: float = 1.0

    MOST_OFFSET: ClassVar[float] = 2.0
    SLOPES: ClassVar[tuple[float, float]] = (0.5, 2.0)

    def of(self, probability: float) -> float:
        """The corrected probability; the same without a correction."""
        if not 0 < probability < 1 or (self.offset, self.slope) == (0.0, 1.0):
            return probability
        logit = math.log(probability / (1 - probability))
        return 1 / (1 + math.exp(-(self.offset + self.slope * logit)))


@dataclass(frozen=True, slots=True)
class Pool:
    """Candidates for the same task, on the same base. Names are unique."""

    candidates: tuple[Candidate, ...]
    similarity: Similarity = field(default_factory=dict)
    """Of pairs that are not there nothing is known."""
    weights: Mapping[Category, float] | None = None
    """Of the score, in the last stage; None: those that are specified."""
    recalibration: Recalibration = Recalibration()

    def alike(self, one: str, other: str) -> float:
        """How alike two candidates' texts are; 0 where that is not known."""
        return self.similarity.get((min(one, other), max(one, other)), 0.0)


@dataclass(frozen=True, slots=True)
class StageValue:
    """What a stage of a strategy says of one candidate."""

    stage: str
    value: float | None
    """More is better, within the stage; None: not measured."""
    told: str
    """For people: `2 of 3 tests`."""


@dataclass(frozen=True, slots=True)
class CategoryScore:
    """The mean of the criteria of a category that were measured."""

    category: Category
    value: float | None
    """0–1; None where none was measured."""
    measured: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate's place."""

    name: str
    place: int
    """1 is the best; candidates that nothing tells apart share a place."""
    score: float
    """Weighted, 0–1; 0 when it is blocked."""
    evidence: float
    """The weight of what was measured, 0–1."""
    stages: tuple[StageValue, ...]
    categories: tuple[CategoryScore, ...]
    blocked: tuple[Blocked, ...] = ()
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CategoryDuel:
    """Which of two candidates is better in a category."""

    category: Category
    winner: str
    """Empty: they tie, or one of them was not measured."""
    difference: float | None


@dataclass(frozen=True, slots=True)
class Duel:
    """Two candidates beside each other."""

    first: str
    second: str
    stage: str
    """Which stage decided; empty: none did, and they tie."""
    reason: str
    categories: tuple[CategoryDuel, ...]


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure the first place is, 0–1."""

    formula: float
    """From the gap, the evidence and the categories won."""
    calibrated: float
    """The probability that the first one is right, as logistic regression on a corpus has it."""
    shipped: float | None = None
    """The same without the correction that a person accepted; None: there is none."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Whether the winner may be accepted without a person, and why or why not."""

    accepted: bool
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The explained order."""

    strategy: Strategy
    rows: tuple[Row, ...]
    """The best first; names decide between those of one place."""
    winner: str
    """Empty: no clear winner."""
    why: str
    deciding: tuple[str, ...]
    """What would decide, where there is no clear winner."""
    confidence: Confidence
    duels: tuple[Duel, ...]
    acceptance: Acceptance
    isolation: Isolation
    """The lowest level that any candidate was run at."""
