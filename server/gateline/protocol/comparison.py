"""A comparison of candidate solutions as it goes into reports: in camelCase, versioned."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gateline.protocol.evaluation import Reading


class BlockedResult(Reading):
    """A blocking check that a candidate fails."""

    check: str = Field(description="applies, parses, types, lint, build, tests or gates.")
    reason: str


class StageResult(Reading):
    """What a stage of the strategy says of a candidate."""

    stage: str
    value: float | None = Field(description="More is better, within the stage; null: not measured.")
    told: str = Field(description="The same for people.")


class CategoryResult(Reading):
    """The mean of the criteria of a category that were measured."""

    category: str
    value: float | None = Field(description="0–1; null where none was measured.")
    measured: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class RowResult(Reading):
    """One candidate's place."""

    name: str
    place: int = Field(description="1 is the best; candidates that nothing tells apart share one.")
    score: float = Field(description="Weighted, 0–1; 0 when it is blocked.")
    evidence: float = Field(description="The weight of what was measured, 0–1.")
    stages: tuple[StageResult, ...]
    categories: tuple[CategoryResult, ...]
    blocked: tuple[BlockedResult, ...] = ()
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()


class CategoryDuelResult(Reading):
    """Which of two candidates is better in a category."""

    category: str
    winner: str = Field(description="Empty: they tie, or one was not measured.")
    difference: float | None


class DuelResult(Reading):
    """Two candidates beside each other, the better one first."""

    first: str
    second: str
    stage: str = Field(description="Which stage decided; empty: none did.")
    reason: str
    categories: tuple[CategoryDuelResult, ...]


class ConfidenceResult(Reading):
    """How sure the first place is, 0–1."""

    formula: float
    calibrated: float = Field(description="The probability that it is right, as fitted on a corpus.")
    shipped: float | None = Field(None, description="Without the correction of the settings; null: none.")


class AcceptanceResult(Reading):
    """Whether the winner may be accepted without a person."""

    accepted: bool
    reasons: tuple[str, ...]


class RankingResult(Reading):
    """The explained order."""

    strategy: str
    isolation: str = Field(description="bubblewrap, landlock, rlimits or none: how code was kept apart.")
    winner: str = Field(description="Empty: no clear winner.")
    why: str
    deciding: tuple[str, ...] = Field(description="What would decide, where there is no clear winner.")
    confidence: ConfidenceResult
    acceptance: AcceptanceResult
    rows: tuple[RowResult, ...]
    duels: tuple[DuelResult, ...]


class GivenResult(Reading):
    """A candidate that was compared."""

    name: str
    kind: str = Field(description="commit, stash entry, folder, patch or savepoint.")
    tree: str = Field(description="git's name of its content.")
    changed: tuple[str, ...] = Field(description="Paths that differ from the base, or from what all share.")
    start: str = Field("", description="The later commit that it is based on; empty: as the others.")
    ahead: int = Field(0, description="So many commits of others that one is after the base.")


class SharedResult(Reading):
    """Commits after the base that all candidates have."""

    commit: str = Field("", description="The last one; empty: there are none.")
    count: int = 0


class LeftOutResult(Reading):
    """A candidate that could not be compared."""

    name: str
    reason: str


class DifferenceResult(Reading):
    """The first input on which candidates differ that pass all tests."""

    call: str
    path: str = Field(description="Of the function.")
    answers: dict[str, str] = Field(description="By candidate.")
    test: str = Field(description="A test that expects what the first of them answers.")


class ExchangedResult(Reading):
    """The new tests of one candidate, run on another one; those that the base passes are left out."""

    author: str
    candidate: str
    passed: tuple[str, ...] = Field((), description="Identifiers of tests.")
    failed: tuple[str, ...] = Field((), description="They are no regressions: the test may be wrong.")


class JudgementResult(Reading):
    """What a model said of one criterion."""

    criterion: str
    score: float = Field(description="0–1; 0.5 where the answer could not be used.")
    confidence: float = Field(description="0–1, and its weight; 0 where the answer could not be used.")
    reasoning: str
    suggestions: tuple[str, ...]


class AnswerResult(Reading):
    """What a model answered, and what that took."""

    model: str
    problem: str = Field(description="Why the answer could not be used; empty where it could.")
    requests: int
    tokens: int
    seconds: float
    judgements: tuple[JudgementResult, ...]


class AssessmentResult(Reading):
    """What a model said of one candidate."""

    name: str
    answer: AnswerResult


class RecordedTaskResult(Reading):
    """What the candidates are solutions of, as it was recorded."""

    id: str
    goal: str
    planned: tuple[str, ...] = Field((), description="Files or folders that the plan names.")
    items: tuple[str, ...] = Field((), description="What is to be done, and was done.")


class ComparisonResult(Reading):
    """`gateline compare --output json`."""

    version: Literal[1] = 1
    base: str = Field(description="The commit that all are compared with.")
    ranking: RankingResult
    given: tuple[GivenResult, ...]
    left_out: tuple[LeftOutResult, ...] = ()
    notes: tuple[str, ...] = Field((), description="What was not measured, and why.")
    difference: DifferenceResult | None = None
    shared: SharedResult = SharedResult(commit="", count=0)
    exchanged: tuple[ExchangedResult, ...] = Field((), description="Tests of candidates on each other.")
    assessments: tuple[AssessmentResult, ...] = Field((), description="What a model said, with `--assess`.")
    task: RecordedTaskResult | None = Field(None, description="The recorded task; null: none.")
    known_since: str = Field("", description="When it was found out, where it was known; empty: now.")
    final_after: str = Field(
        "", description="When the order could not change any more: checks, tests, behaviour or assessments."
    )
    refused_by: dict[str, str] = Field({}, description="By candidate, the test that is enough to refuse it.")
