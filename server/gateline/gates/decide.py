"""What a gate says at a checkpoint. No model is asked; the same input gives the same decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from gateline.gates.gaps import Gap, stated_gaps
from gateline.model.evaluation import Action, Decision, Outcome, Score, Status
from gateline.model.level import Level
from gateline.model.measure import State
from gateline.model.policy import Policy, Profile

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
    evidence: float | None = None
    """That of the score without what a person chose not to have measured; None where nobody chose."""


@dataclass(frozen=True, slots=True)
class _Verdict:
    outcome: Outcome
    reason: str = ""


def decide(
    policy: Policy,
    level: Level,
    score: Score,
    counts: Counts,
    actions: tuple[Action, ...] = (),
    missing: Sequence[Gap] = (),
) -> Decision:
    """The decision at `level`; `missing` is what was not measured.

    A pass becomes a warning when something that is due is stale or failed.
    """
    verdict = _VERDICTS[level](policy, score, counts, missing)
    status = _STATUS[verdict.outcome]
    if status is Status.PASS and _is_unclear(score):
        status = Status.WARN
    reasons = [verdict.reason, *score.floors, *score.caps]
    reasons += [gap for gap in stated_gaps(score) if not any(gap in said for said in reasons)]
    return Decision(verdict.outcome, status, tuple(filter(None, reasons)), actions)


def _is_unclear(score: Score) -> bool:
    states = {part.state for part in score.parts}
    states |= {source.state for part in score.parts for source in part.sources}
    return State.STALE in states or State.FAILED in states


def _early(policy: Policy, score: Score, counts: Counts, _missing: Sequence[Gap]) -> _Verdict:
    new = "" if policy.profile is Profile.PLAIN else "new "
    if counts.syntax_errors:
        return _Verdict(Outcome.FAST_FAIL, _number(counts.syntax_errors, f"{new}syntax error"))
    if counts.type_errors > policy.early_type_errors:
        reason = f"{counts.type_errors} {new}type errors, more than {policy.early_type_errors}"
        return _Verdict(Outcome.WARN_QUALITY_TREND, reason)
    return _Verdict(Outcome.CONTINUE)


def _middle(policy: Policy, score: Score, counts: Counts, _missing: Sequence[Gap]) -> _Verdict:
    if counts.failing_tests > policy.middle_failing_share * counts.tests_run:
        return _Verdict(Outcome.ADJUST_STRATEGY, _failing(policy, counts))
    if score.value is not None and score.value < policy.middle_score:
        reason = f"score {score.value:g} is below {policy.middle_score:g}"
        return _Verdict(Outcome.WARN_BELOW_TARGET, reason)
    return _Verdict(Outcome.CONTINUE)


def _failing(policy: Policy, counts: Counts) -> str:
    run, failing = counts.tests_run, counts.failing_tests
    if failing > run:
        # A file that cannot be collected fails, and is no test that ran.
        return f"{_number(failing, 'failing test or test file')}, and {_number(run, 'test')} ran"
    return f"{failing} of {run} tests fail, more than {policy.middle_failing_share:.0%}"


def _final(policy: Policy, score: Score, counts: Counts, missing: Sequence[Gap]) -> _Verdict:
    # A floor is certain however little else is known, so it comes before what is not.
    if score.floors:
        return _Verdict(Outcome.REQUIRE_ITERATION, _number(len(score.floors), "broken floor"))
    # Each in one sentence: some formats have room for no more.
    required = "; ".join(gap.reason for gap in missing if gap.required)
    evidence = score.evidence if counts.evidence is None else counts.evidence
    if evidence < policy.evidence:
        below = _below(evidence, policy.evidence)
        return _Verdict(Outcome.UNDECIDED, f"{below}: {required}" if required else below)
    if required:
        return _Verdict(Outcome.UNDECIDED, required)
    verdict = _by_score(policy, score)
    if missing and verdict.outcome is Outcome.ACCEPT:
        conditions = "; ".join(gap.reason for gap in missing)
        reason = f"{verdict.reason}; the condition is to measure what is missing: {conditions}"
        return _Verdict(Outcome.CONDITIONAL_ACCEPT, reason)
    return verdict


def _below(evidence: float, wanted: float) -> str:
    """Both in percent; with a tenth where they would read the same."""
    digits = 0 if f"{evidence:.0%}" != f"{wanted:.0%}" else 1
    return f"evidence {evidence:.{digits}%} is below {wanted:.{digits}%}"


def _by_score(policy: Policy, score: Score) -> _Verdict:
    value = score.value
    if value is None:
        return _unscored(policy, score)
    if value >= policy.final_accept:
        return _Verdict(Outcome.ACCEPT, f"score {value:g} reaches {policy.final_accept:g}")
    if value >= policy.final_conditional:
        reason = f"score {value:g} is below {policy.final_accept:g}; the required actions are the conditions"
        return _Verdict(Outcome.CONDITIONAL_ACCEPT, reason)
    return _Verdict(Outcome.REQUIRE_ITERATION, f"score {value:g} is below {policy.final_conditional:g}")


def _unscored(policy: Policy, score: Score) -> _Verdict:
    """Nothing has a score, as where only settings changed; what integrity found counts all the same."""
    if not score.caps or policy.integrity_cap >= policy.final_accept:
        return _Verdict(Outcome.ACCEPT, "nothing to judge")
    found = _number(len(score.caps), "integrity finding")
    if policy.integrity_cap < policy.final_conditional:
        return _Verdict(Outcome.REQUIRE_ITERATION, found)
    return _Verdict(Outcome.CONDITIONAL_ACCEPT, f"{found}; the required actions are the conditions")


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


_VERDICTS = MappingProxyType({Level.EARLY: _early, Level.MIDDLE: _middle, Level.FINAL: _final})
