"""The document for a person, when no repair could be verified: what was tried, and where to look next."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.model import Problem
from gateline.repairs.classify import chain
from gateline.repairs.result import Attempt, DebugResult, Outcome, diff

_SHOWN = 8
"""Attempts with their differences; of more only the number is told."""


def document(result: DebugResult) -> str:
    """The document, in Markdown."""
    return "\n".join([*_error(result.problem), *_attempts(result), *_next(result), ""])


def _error(problem: Problem) -> Iterator[str]:
    yield f"# Not repaired: {problem.type}"
    yield ""
    for number, link in enumerate(chain(problem)):
        place = f" at {link.path}:{link.line + 1}" if link.path else ""
        yield f"{'Caused by ' if number else ''}`{link.type}`: {link.message}{place}"
        yield ""
    if problem.tests:
        yield f"Failing tests: {', '.join(problem.tests)}"
        yield ""
    for frame in problem.frames:
        whose = "" if frame.ours else " (library)"
        function = f" in `{frame.function}`" if frame.function else ""
        yield f"- {frame.path}:{frame.line + 1}{function}{whose}"


def _attempts(result: DebugResult) -> Iterator[str]:
    yield ""
    yield "## What was tried"
    yield ""
    if not result.attempts:
        yield "Nothing: no family of repairs knows this error."
    tried = sorted(result.attempts, key=lambda attempt: attempt.outcome is Outcome.REFUSED)
    for attempt in tried[:_SHOWN]:
        yield from _attempt(attempt)
    if len(tried) > _SHOWN:
        yield f"And {len(tried) - _SHOWN} more."
        yield ""


def _attempt(attempt: Attempt) -> Iterator[str]:
    yield f"### {attempt.repair.title}"
    yield ""
    yield f"Iteration {attempt.iteration}, {attempt.outcome}: {attempt.reason or 'no reason was given'}."
    yield ""
    if attempt.outcome is not Outcome.REFUSED or attempt.repair.edits:
        yield "```diff"
        yield _diff_of(attempt)
        yield "```"
        yield ""


def _diff_of(attempt: Attempt) -> str:
    try:
        return diff(attempt)
    except ValueError as error:
        return f"# {error}"


def _next(result: DebugResult) -> Iterator[str]:
    yield "## What to look at next"
    yield ""
    if result.late:
        yield "- The time was over before everything was tried: try again, or allow more of it."
    partial = [attempt for attempt in result.attempts if attempt.outcome is Outcome.PARTIAL]
    if partial:
        yield f"- “{partial[-1].repair.title}” leads on; start from it: {partial[-1].reason}."
    if any(attempt.outcome is Outcome.REFUSED for attempt in result.attempts):
        yield "- Some repairs would break a house rule. A person may decide otherwise."
    for link in reversed(list(chain(result.problem))):
        if link.path:
            yield f"- `{link.path}` line {link.line + 1}, where `{link.type}` was raised."
    ours = [frame for frame in result.problem.frames if frame.ours]
    if len(ours) > 1:
        yield f"- Its caller, {ours[-2].path}:{ours[-2].line + 1}: the wrong value may come from there."
