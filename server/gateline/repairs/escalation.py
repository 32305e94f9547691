"""What a person is told when no repair could be verified: in short, and as a document with all attempts."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.model import Origin, Problem
from gateline.repairs.classify import chain
from gateline.repairs.result import Attempt, DebugResult, Outcome, diff

_SHOWN = 8
"""Attempts with their differences; of more only the number is told."""
_NEAREST = 2
"""Attempts that the short form names."""
_WIDTH = 120
"""Characters of a message in the short form."""


def summary(result: DebugResult) -> Iterator[str]:
    """The short form: at most nine lines."""
    problem = result.problem
    kind = f"{problem.type}: " if problem.origin is Origin.RUN else ""
    yield f"not repaired: {problem.path}:{problem.line + 1}: {kind}{_short(problem.message)}"
    if problem.tests:
        often = "1 test fails" if len(problem.tests) == 1 else f"{len(problem.tests)} tests fail, first"
        yield f"  {often} with it: {problem.tests[0]}"
    if result.advice:
        yield f"  {result.advice}"
    tried = [a for a in result.attempts if a.outcome is not Outcome.REFUSED]
    refused = len(result.attempts) - len(tried)
    if tried:
        late = ", then the time was over" if result.late else ""
        yield f"  {_counted(len(tried), 'repair was', 'repairs were')} tried{late}. Nearest:"
        yield from (f"    {a.repair.title}: {_short(a.reason)}" for a in sorted(tried, key=_far)[:_NEAREST])
    if refused:
        yield f"  {_counted(refused, 'repair', 'repairs')} would break a house rule"
    if place := _caller(problem):
        yield f"  its caller: {place}"


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _far(attempt: Attempt) -> tuple[bool, float]:
    """How far an attempt is from a repair: what led on is nearer, then what is likelier."""
    return attempt.outcome is not Outcome.PARTIAL, attempt.repair.cost


def _short(text: str) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= _WIDTH else f"{line[: _WIDTH - 1]}…"


def _caller(problem: Problem) -> str:
    ours = [frame for frame in problem.frames if frame.ours]
    return f"{ours[-2].path}:{ours[-2].line + 1}" if len(ours) > 1 else ""


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
        shown = ", ".join(problem.tests[:_SHOWN])
        more = f" and {len(problem.tests) - _SHOWN} more" if len(problem.tests) > _SHOWN else ""
        yield f"Failing tests: {shown}{more}"
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
        why = "the search timed out" if result.late else "no repair of this error is known"
        yield f"Nothing: {why}."
        yield ""
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
    if result.advice:
        yield f"- {result.advice}."
    if result.late:
        yield "- The time was over before everything was tried: try again, or allow more of it."
    partial = [attempt for attempt in result.attempts if attempt.outcome is Outcome.PARTIAL]
    if partial:
        nearest = min(partial, key=_far)
        yield f"- “{nearest.repair.title}” leads on; start from it: {nearest.reason}."
    if any(attempt.outcome is Outcome.REFUSED for attempt in result.attempts):
        yield "- Some repairs would break a house rule. A person may decide otherwise."
    for link in reversed(list(chain(result.problem))):
        if link.path:
            yield f"- `{link.path}` line {link.line + 1}, where `{link.type}` was raised."
    if place := _caller(result.problem):
        yield f"- Its caller, {place}: the wrong value may come from there."
