"""Which tests spoke of the change, and why these: a line or two."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.model import TestRun

_AFFECTED = "affected"


def told(tests: TestRun) -> Iterator[str]:
    """What was run of all tests, why, and why not all."""
    if tests.which == _AFFECTED:
        why = f": {', '.join(tests.why)}" if tests.why else ""
        yield f"tests: {tests.run or 'none'} of {tests.total} affected{why}"
    else:
        yield f"tests: {'all' if tests.run == tests.total else tests.run} of {tests.total} run"
    if tests.note:
        yield f"tests: {tests.note}"
