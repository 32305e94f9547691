"""What `gateline fix` says: differences, what was repaired, what was not and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import Any

from gateline.cli import terminal

Row = Mapping[str, Any]
"""A `FixedProblem` as it is sent."""


def told(answer: Mapping[str, Any], *, only_shown: bool, explained: bool) -> Iterator[str]:
    """Everything: differences where repairs are `only_shown`, and `explained` what could not be repaired.

    `answer` is a `FixAnswer` as it is sent.
    """
    if only_shown:
        yield from _differences(answer)
    for row in answer["problems"]:
        yield from _problem(row, only_shown=only_shown, explained=explained)
    yield from _left(answer, explained=explained)


def _problem(row: Row, *, only_shown: bool, explained: bool) -> Iterator[str]:
    if row["outcome"] == "repaired":
        yield f"{'can be' if only_shown else 'was'} repaired: {_line(row)}\n"
        yield f"  {row['nextStep']}\n" if row["nextStep"] else ""
    elif row["outcome"] == "unclear":
        title = row["title"] or "a repair"
        yield f"not certain: {_line(row)}\n  proposed: {title}; --tests verifies it by the tests\n"
    elif row["reason"]:
        yield f"not repaired: {_line(row)} ({row['reason']})\n"
    elif explained:
        yield f"\n{row['document']}"
    else:
        yield from (f"{terminal.harmless(line)}\n" for line in row["summary"])


def _left(answer: Mapping[str, Any], *, explained: bool) -> Iterator[str]:
    """What was not looked for, and how to see more."""
    if not (answer["problems"] or answer["notes"]):
        yield "Nothing to repair.\n"
    for note in answer["notes"]:
        yield f"{note}\n"
    if not explained and any(row["summary"] for row in answer["problems"]):
        yield "--explain lists what was tried\n"
    if old := answer["old"]:
        found = "1 finding" if old == 1 else f"{old} findings"
        yield f"{found} of the type checker skipped: already in the base; --all includes those\n"


def _differences(answer: Mapping[str, Any]) -> Iterator[str]:
    """A unified difference, as `git apply` takes it."""
    for file in answer["texts"]:
        old, new = (file[key].splitlines(keepends=True) for key in ("before", "after"))
        for line in unified_diff(old, new, f"a/{file['path']}", f"b/{file['path']}"):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _line(row: Row) -> str:
    message = terminal.harmless(" ".join(row["message"].split()))
    return f"{row['path']}:{row['line'] + 1}: {message}{_proof(row)}"


def _proof(row: Row) -> str:
    """How far a repair was verified, and whether another one was as likely."""
    if row["proof"] is None:
        return ""
    return f" [{row['proof']}]" if row["clear"] else f" [{row['proof']}, one of several]"
