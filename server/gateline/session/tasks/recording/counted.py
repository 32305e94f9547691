"""How tests ended, as an event has it."""

from __future__ import annotations

from gateline.model import State, TestRun
from gateline.model.endings import Endings
from gateline.session.tests.outcomes import endings_of
from gateline.session.tests.tested import Tested

_NAMED = 20
"""So many failing tests are named in an event."""


def counted_tests(tested: Tested) -> dict[str, object]:
    """Of a run in an editor: of all tests of which it is known how they end, else of those that ran."""
    known = tested.about.endings if tested.about else None
    return _event(known or endings_of(tested.run, (), ()))


def tests_of_check(tests: TestRun | None) -> dict[str, object] | None:
    """Of a check; None where no test ran. Of tests that could not start, why stands among the failing."""
    if tests is None:
        return None
    if tests.endings is None:
        return _event(Endings(failing=(tests.reason,))) if tests.state is State.FAILED else None
    return _event(tests.endings)


def _event(endings: Endings) -> dict[str, object]:
    counts = {"passed": endings.passed, "failed": endings.failed, "skipped": endings.skipped}
    return {**counts, "failing": list(endings.failing[:_NAMED])}
