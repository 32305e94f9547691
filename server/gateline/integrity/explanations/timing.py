"""A test that measured how long something takes, and asks from now on for what it sleeps, or counts."""

from __future__ import annotations

import ast

from gateline.analysis.stdlib import is_pythons_own
from gateline.analysis.trees import names
from gateline.integrity.change_view import Both
from gateline.integrity.explanations.determinised import NEVER_TWICE, asks_moment
from gateline.integrity.strength.loss import Loss
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.model.names import last_name

_CLOCKS = frozenset({"monotonic", "perf_counter", "time", "process_time", "monotonic_ns", "perf_counter_ns"})


def is_measured_no_more(check: Check, loss: Loss, *, is_changed: bool) -> bool:
    """Whether a check of a clock went for one of the sleep itself, while the same is called."""
    if loss.now is None or not _is_of_clocks(check):
        return False
    if not is_changed and check.relation in ("<", "<=") and any(c.exact for c in loss.now.checks):
        # How fast it is depends on the machine, and nothing was made slower.
        return True
    # What it waits for is counted instead.
    is_counted = any(check.exact for check in loss.gained)
    return not is_changed and is_counted and _used(loss.base) <= _used(loss.now)


def is_counted(test: Test, both: Both) -> bool:
    """Whether a new test beside one that only timed something looks at a value, by the same calls."""
    come = [new for new in both.pairs.come if new.path == test.path]
    called = {last_name(n) for n in ast.walk(test.node) if isinstance(n, ast.Call)} - NEVER_TWICE
    timed = all(check.relation[0] in "<>" and asks_moment(check.subject) for check in test.checks)
    exact = (new for new in come if any(check.exact for check in new.checks))
    return bool(test.checks) and timed and any(called <= new.said.calls for new in exact)


def _is_of_clocks(check: Check) -> bool:
    called = {last_name(node) for node in ast.walk(check.subject) if isinstance(node, ast.Call)}
    return bool(called) and called <= _CLOCKS


def _used(test: Test) -> frozenset[str]:
    """The names that a test uses of what is imported, and is not Python's own."""
    imported = {n for n, whole in test.module.imports.items() if not is_pythons_own(whole)}
    return frozenset(imported) & {name for statement in test.node.body for name in names(statement)}
