"""How tests ended, as an event has it."""

from __future__ import annotations

from collections.abc import Sequence

from gateline.testing.result import Ending, Result

_NAMED = 20
"""So many failing tests are named in an event."""


def counted_tests(results: Sequence[Result]) -> dict[str, object]:
    """How many passed, failed and were skipped, and some that failed."""
    failing = [result.id for result in results if result.is_bad]
    passed = sum(result.ending is Ending.PASSED for result in results)
    skipped = len(results) - passed - len(failing)
    return {"passed": passed, "failed": len(failing), "skipped": skipped, "failing": failing[:_NAMED]}
