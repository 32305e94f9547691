"""GTL603 and GTL604: a test that is still there asserts less, or something that cannot fail."""

from __future__ import annotations

from collections.abc import Iterator

from gateline.integrity.evidence import Evidence
from gateline.integrity.explanations.tables.dropped_check import DROPPED_CHECK, DroppedCheck
from gateline.integrity.findings import at_node
from gateline.integrity.rules.assertion_loosened import CODE as LOOSENED
from gateline.integrity.rules.assertion_removed import CODE as REMOVED
from gateline.integrity.rules.test_removed.tests import rows_lost
from gateline.integrity.rules.test_skipped.skips import is_taken_out
from gateline.integrity.strength.implication import asks_any
from gateline.integrity.strength.loss import Loss, place_of
from gateline.integrity.tests.assertions import is_mocked
from gateline.integrity.tests.check import EXACT, VACUOUS, Check
from gateline.integrity.tests.collection import Test
from gateline.model.finding import Finding, Weight


def find(evidence: Evidence) -> Iterator[Finding]:
    """The assertions that are gone, weaker, or no longer able to fail."""
    for loss in evidence.losses:
        if loss.now is None or not loss.seen or rows_lost(loss) or is_taken_out(loss.base, loss.now):
            continue
        yield from _of_test(loss, loss.now, evidence)
    for new in evidence.both.pairs.come:
        mocked = any(is_mocked(check.subject) for check in new.checks)
        if new.checks and not mocked and all(check.strength == VACUOUS for check in new.checks):
            message = f"no assertion of `{new.name}` can fail"
            yield at_node(REMOVED, new.module, new.checks[0].node, message, Weight.FLOOR)


def _of_test(loss: Loss, now: Test, evidence: Evidence) -> Iterator[Finding]:
    removed = []
    for check in loss.lost:
        dropped = DroppedCheck(check, loss, now, evidence.product)
        if evidence.ledger.explains(DROPPED_CHECK, dropped, place_of(loss.base, check)):
            continue
        weaker = _weaker(check, now) or _one_of_all(check, now)
        if weaker is None or weaker.strength == VACUOUS:
            removed.append((check, weaker))
        else:
            message = f"`{_short(check)}` was asserted; `{_short(weaker)}` accepts more"
            yield at_node(LOOSENED, now.module, weaker.node, message, Weight.FLOOR)
    if removed:
        yield _removed(removed, now)


def _removed(removed: list[tuple[Check, Check | None]], now: Test) -> Finding:
    shown = ", ".join(dict.fromkeys(f"`{_short(check)}`" for check, _ in removed[:2]))
    vacuous = next((weaker for _, weaker in removed if weaker is not None), None)
    if vacuous is not None:
        message = f"this assertion can no longer fail; the base asserts {shown}"
        return at_node(REMOVED, now.module, vacuous.node, message, Weight.FLOOR)
    message = f"`{now.name}` no longer asserts {shown}"
    # One of many that was not exact is often dropped for a reason: it is told, and no floor.
    slight = all(check.strength < EXACT for check, _ in removed) and any(c.strength for c in now.checks)
    return at_node(REMOVED, now.module, now.node, message, Weight.COUNTS if slight else Weight.FLOOR)


def _weaker(check: Check, now: Test) -> Check | None:
    """The strictest check of the same thing that is weaker than `check`."""
    about = [other for other in now.checks if other.strength < check.strength and _same(other, check)]
    return max(about, key=lambda other: other.strength, default=None)


def _one_of_all(check: Check, now: Test) -> Check | None:
    """What asks of any what was asked of all."""
    return next((other for other in now.checks if asks_any(other, check)), None)


def _same(one: Check, other: Check) -> bool:
    return one.core == other.core or one.core in other.core or other.core in one.core


def _short(check: Check) -> str:
    return check.text if len(check.text) <= 80 else f"{check.text[:77]}..."
