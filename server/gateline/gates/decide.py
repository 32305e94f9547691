"""What a gate says at a checkpoint. No model is asked; the same input gives the same decision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gateline.model.evaluation import Action, Decision, Outcome, Part, Score, Status
from gateline.model.level import Level
from gateline.model.measure import State
from gateline.model.policy import Policy

_STATUS: Mapping[Outcome, Status] = MappingProxyType(
    {
        Outcome.CONTINUE: Status.PASS,
        Outcome.ACCEPT: Status.PASS,
        Outcome.WARN_QUALITY_TREND: Status.WARN,
        Outcome.ADJUST_STRATEGY: Status.WARN,
        Outcome.WARN_BELOW_TARGET: Status.WARN,
        Outcome.CONDITIONAL_ACCEPT: Status.WARN,
        Outcome.UNDECIDED: Status.WARN,
        Outcome.FAST_FAIL: Status.FAIL,
        Outcome.REQUIRE_ITERATION: Status.FAIL,
    }
)


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers that decisions need besides the score. Only what counts is counted."""

    syntax_errors: int = 0
    type_errors: int = 0
    tests_run: int = 0
    failing_tests: int = 0


@dataclass(frozen=True, slots=True)
class _Verdict:
    outcome: Outcome
    reason: str = ""


def decide(
    policy: Policy, level: Level, score: Score, counts: Counts, actions: tuple[Action, ...] = ()
) -> Decision:
    """The decision at `level`. A pass becomes a warning when a due dimension is stale or failed."""
    verdict = _VERDICTS[level](policy, score, counts)
    unclear = [part for part in score.parts if part.state in (State.STALE, State.FAILED)]
    status = _STATUS[verdict.outcome]
    if status is Status.PASS and unclear:
        status = Status.WARN
    reasons = (verdict.reason, *score.floors, *_gaps(score))
    return Decision(verdict.outcome, status, tuple(r for r in reasons if r), actions)


def _early(policy: Policy, score: Score, counts: Counts) -> _Verdict:
    if counts.syntax_errors:
        return _Verdict(Outcome.FAST_FAIL, f"{_number(counts.syntax_errors, 'new syntax error')}")
    if counts.type_errors > policy.early_type_errors:
        reason = f"{counts.type_errors} new type errors, more than {policy.early_type_errors}"
        return _Verdict(Outcome.WARN_QUALITY_TREND, reason)
    return _Verdict(Outcome.CONTINUE)


def _middle(policy: Policy, score: Score, counts: Counts) -> _Verdict:
    if counts.failing_tests > policy.middle_failing_share * counts.tests_run:
        reason = f"{counts.failing_tests} of {counts.tests_run} tests fail, more than "
        return _Verdict(Outcome.ADJUST_STRATEGY, f"{reason}{policy.middle_failing_share:.0%}")
    if score.value is not None and score.value < policy.middle_score:
        reason = f"score {score.value:g} is below {policy.middle_score:g}"
        return _Verdict(Outcome.WARN_BELOW_TARGET, reason)
    return _Verdict(Outcome.CONTINUE)


def _final(policy: Policy, score: Score, counts: Counts) -> _Verdict:
    # A floor is certain however little else is known, so it comes before the question of evidence.
    if score.floors:
        return _Verdict(Outcome.REQUIRE_ITERATION, _number(len(score.floors), "broken floor"))
    if score.evidence < policy.evidence:
        reason = f"evidence {score.evidence:.0%} is below {policy.evidence:.0%}"
        return _Verdict(Outcome.UNDECIDED, reason)
    if score.value is None:
        return _Verdict(Outcome.ACCEPT, "nothing to judge")
    return _by_score(policy, score.value)


def _by_score(policy: Policy, value: float) -> _Verdict:
    if value >= policy.final_accept:
        return _Verdict(Outcome.ACCEPT, f"score {value:g} reaches {policy.final_accept:g}")
    if value >= policy.final_conditional:
        reason = f"score {value:g} is below {policy.final_accept:g}; the required actions are the conditions"
        return _Verdict(Outcome.CONDITIONAL_ACCEPT, reason)
    return _Verdict(Outcome.REQUIRE_ITERATION, f"score {value:g} is below {policy.final_conditional:g}")


def _gaps(score: Score) -> list[str]:
    unknown = (State.NO_DATA, State.STALE, State.FAILED)
    return [stated(part) for part in score.parts if part.state in unknown and part.reason]


def stated(part: Part) -> str:
    """A part's state in words: `coverage: no data (not yet measured)`."""
    return f"{part.dimension}: {part.state}" + (f" ({part.reason})" if part.reason else "")


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


_VERDICTS = MappingProxyType({Level.EARLY: _early, Level.MIDDLE: _middle, Level.FINAL: _final})
