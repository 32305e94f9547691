"""From a run of the loop to what is sent of it."""

from __future__ import annotations

from collections.abc import Mapping

from gateline.protocol.debugging import (
    AttemptResult,
    AutodebugResult,
    EditResult,
    FixAnswer,
    FixedProblem,
    FixedText,
    RepairedText,
)
from gateline.protocol.evaluation import SpanResult
from gateline.repairs.choice import chosen, is_clear
from gateline.repairs.escalation import document, summary
from gateline.repairs.result import Attempt, DebugResult, diff
from gateline.repairs.rules_of_files import is_test
from gateline.session.repairs.fixing import FixResult


def debug_to_wire(result: DebugResult, versions: Mapping[str, int | None]) -> AutodebugResult:
    """A result in the wire's types; `versions` are those of open documents, by path."""
    repair = chosen(result)
    return AutodebugResult(
        success=result.success,
        error=result.problem.message,
        proof=result.proof.name if result.proof else None,
        clear=is_clear(result),
        title=repair.title if repair else "",
        edits=tuple(
            EditResult(path=e.path, span=SpanResult.model_validate(e.span), text=e.text) for e in result.edits
        ),
        texts=_texts(result, versions),
        iterations=result.iterations,
        attempts=tuple(map(_attempt, result.attempts)),
        reasoning=result.reasoning,
        document="" if result.success else document(result),
        notes=result.notes,
    )


def _texts(result: DebugResult, versions: Mapping[str, int | None]) -> tuple[RepairedText, ...]:
    texts = result.texts or {}
    return tuple(
        RepairedText(path=path, digest=digest, version=versions.get(path), text=texts[path])
        for path, digest in result.digests
    )


def _attempt(attempt: Attempt) -> AttemptResult:
    return AttemptResult(
        iteration=attempt.iteration,
        family=attempt.repair.family.value,
        pattern=attempt.repair.pattern,
        title=attempt.repair.title,
        outcome=attempt.outcome.value,
        reason=attempt.reason,
        diff=_diff(attempt),
    )


def _diff(attempt: Attempt) -> str:
    try:
        return diff(attempt)
    except ValueError:
        # Its edits overlap: that is why it was refused.
        return ""


REPAIRED, UNCLEAR, NOT_REPAIRED = "repaired", "unclear", "not repaired"


def fix_to_wire(result: FixResult) -> FixAnswer:
    """What became of the errors of files in the wire's types."""
    rows = ((REPAIRED, result.repaired), (UNCLEAR, result.unclear), (NOT_REPAIRED, result.given_up))
    return FixAnswer(
        texts=tuple(
            FixedText(path=path, before=result.before[path], after=text)
            for path, text in sorted(result.after.items())
        ),
        problems=tuple(_problem(outcome, one) for outcome, several in rows for one in several),
        old=result.old,
        notes=tuple(dict.fromkeys(result.notes)),
    )


def _problem(outcome: str, result: DebugResult) -> FixedProblem:
    problem, repair = result.problem, chosen(result)
    failed = outcome == NOT_REPAIRED
    return FixedProblem(
        outcome=outcome,
        path=problem.path,
        line=problem.line,
        message=problem.message,
        proof=result.proof.name if result.proof else None,
        clear=is_clear(result),
        title=repair.title if repair else "",
        # Nothing is ever installed: that is left to the person.
        next_step=repair.reason if repair and repair.pattern == "missing-dependency" else "",
        reason=_why(result) if failed and not result.attempts else "",
        summary=tuple(summary(result)) if failed and result.attempts else (),
        document=document(result) if failed and result.attempts else "",
    )


def _why(result: DebugResult) -> str:
    """Why nothing was tried."""
    if result.advice:
        return result.advice
    if result.late:
        return "timed out before a repair was found"
    in_test = is_test(result.problem.path)
    return "a repair must not edit tests" if in_test else "no repair is known for this"
