"""What `gateline fix` says: differences, what was repaired, what was not and why."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from gateline.cli import terminal
from gateline.repairs.choice import chosen, is_clear
from gateline.repairs.escalation import document, summary
from gateline.repairs.result import DebugResult
from gateline.repairs.rules_of_files import is_test
from gateline.session.repairs.fixing import FixResult


def told(result: FixResult, *, only_shown: bool, explained: bool) -> Iterator[str]:
    """Everything: differences where repairs are `only_shown`, and `explained` what could not be repaired."""
    if only_shown:
        yield from _differences(result)
    for repair in result.repaired:
        yield f"{'can be' if only_shown else 'was'} repaired: {_line(repair)}\n"
        yield from _next_step(repair)
    for unclear in result.unclear:
        yield f"not certain: {_line(unclear)}\n  {_guess(unclear)}\n"
    for failure in result.given_up:
        yield from _failure(failure, explained=explained)
    yield from _left(result, explained=explained)


def _failure(failure: DebugResult, *, explained: bool) -> Iterator[str]:
    if not failure.attempts:
        yield f"not repaired: {_line(failure)} ({_why(failure)})\n"
    elif explained:
        yield f"\n{document(failure)}"
    else:
        yield from (f"{terminal.harmless(line)}\n" for line in summary(failure))


def _left(result: FixResult, *, explained: bool) -> Iterator[str]:
    """What was not looked for, and how to see more."""
    if not (result.repaired or result.unclear or result.given_up or result.notes):
        yield "Nothing to repair.\n"
    for note in dict.fromkeys(result.notes):
        yield f"{note}\n"
    if not explained and any(failure.attempts for failure in result.given_up):
        yield "--explain lists what was tried\n"
    if result.old:
        found = "1 finding" if result.old == 1 else f"{result.old} findings"
        yield f"{found} of the type checker skipped: already in the base; --all includes those\n"


def _guess(result: DebugResult) -> str:
    repair = chosen(result)
    title = repair.title if repair is not None else "a repair"
    return f"proposed: {title}; --tests verifies it by the tests"


def _next_step(result: DebugResult) -> Iterator[str]:
    """What is left to the person: nothing is ever installed."""
    repair = chosen(result)
    if repair is not None and repair.pattern == "missing-dependency":
        yield f"  {repair.reason}\n"


def _differences(result: FixResult) -> Iterator[str]:
    """A unified difference, as `git apply` takes it."""
    for path, text in sorted(result.after.items()):
        old, new = (t.splitlines(keepends=True) for t in (result.before[path], text))
        for line in unified_diff(old, new, f"a/{path}", f"b/{path}"):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _why(result: DebugResult) -> str:
    """Why nothing was tried."""
    if result.advice:
        return result.advice
    if result.late:
        return "timed out before a repair was found"
    in_test = is_test(result.problem.path)
    return "tests are not edited to make an error go away" if in_test else "no repair is known for this"


def _line(result: DebugResult) -> str:
    problem = result.problem
    message = terminal.harmless(" ".join(problem.message.split()))
    return f"{problem.path}:{problem.line + 1}: {message}{_proof(result)}"


def _proof(result: DebugResult) -> str:
    """How far a repair was verified, and whether another one was as likely."""
    if result.proof is None:
        return ""
    return f" [{result.proof.name}]" if is_clear(result) else f" [{result.proof.name}, one of several]"
