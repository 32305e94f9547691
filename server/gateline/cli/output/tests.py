"""Which tests spoke of the change, and why these; or why none did: a line or two."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.model import State, TestRun

_AFFECTED = "affected"
_PLAIN = (".venv in the project", "venv in the project")
"""What everybody expects: no line is spent on it."""


def has_spoken(tests: TestRun | None) -> bool:
    """Whether tests ran, or there was nothing for them to say."""
    return tests is not None and tests.state in (State.MEASURED, State.NOTHING_TO_JUDGE, State.NOT_DUE)


def told(tests: TestRun | None) -> Iterator[str]:
    """How many of all tests were run, and why these; or why none were, and what makes them run."""
    if tests is None:
        yield "tests: none ran: tests were not requested"
    elif not has_spoken(tests):
        yield from _silent(tests)
        yield from _with(tests)
    elif tests.state is not State.MEASURED:
        yield f"tests: none to run{_because(tests.reason)}"
    else:
        yield _run(tests)
        yield from _with(tests)
        if tests.note:
            yield f"tests: {tests.note}"


def in_a_line(tests: TestRun | None) -> str:
    """The same as one line."""
    return "; ".join(
        [line if not at else line.removeprefix("tests: ") for at, line in enumerate(told(tests))]
    )


def _silent(tests: TestRun) -> Iterator[str]:
    ran = f"{tests.run} of {tests.total} ran" if tests.total else "none ran"
    stale = ", and their results are out of date" if tests.state is State.STALE else ""
    yield f"tests: {ran}{stale}{_because(tests.reason)}"
    if tests.next_step:
        yield f"tests: next step: {tests.next_step}"


def _run(tests: TestRun) -> str:
    failing = f", {tests.failing} fail" if tests.failing else ""
    if tests.which == _AFFECTED:
        why = f": {', '.join(tests.why)}" if tests.why else ""
        return f"tests: {tests.run or 'none'} of {tests.total} affected{failing}{why}"
    return f"tests: {'all' if tests.run == tests.total else tests.run} of {tests.total} run{failing}"


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""


def _with(tests: TestRun) -> Iterator[str]:
    """The interpreter, where it is not what everybody expects."""
    if tests.python and tests.python_why not in _PLAIN:
        yield f"tests: with {tests.python} ({tests.python_why})"
