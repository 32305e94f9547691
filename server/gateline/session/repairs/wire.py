"""From a run of the loop to what is sent of it."""

from __future__ import annotations

from collections.abc import Mapping

from gateline.protocol.debugging import AttemptResult, AutodebugResult, EditResult, RepairedText
from gateline.protocol.evaluation import SpanResult
from gateline.repairs.choice import chosen, is_clear
from gateline.repairs.escalation import document
from gateline.repairs.result import Attempt, DebugResult, diff


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
