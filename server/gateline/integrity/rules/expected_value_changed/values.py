"""GTL605: a test expects another value than before, and nothing says that it should.

A change of behaviour that is meant shows somewhere: the value stands in the code, a page or a docstring
tells of it, or a rate or a version is all that changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gateline.analysis.trees import text_of
from gateline.integrity.evidence import Evidence
from gateline.integrity.explanations.explanation import Place
from gateline.integrity.explanations.tables.changed_value import CHANGED_VALUE, ChangedValue
from gateline.integrity.findings import at_node
from gateline.integrity.rules.expected_value_changed import CODE
from gateline.integrity.strength.loss import Changed, place_of
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test
from gateline.model.finding import Finding, Weight


def find(evidence: Evidence) -> Iterator[Finding]:
    """The expectations that changed without a reason that can be seen."""
    seen: set[object] = set()
    for loss in evidence.losses:
        now = loss.now
        if now is None or now.node.name != loss.base.node.name:
            continue
        for pair in loss.changed:
            value = ChangedValue(*pair.sides, loss.base, now, evidence.product)
            if not evidence.ledger.explains(CHANGED_VALUE, value, _place(pair, now)):
                finding = _finding(pair, now)
                if (finding.path, finding.span) not in seen:
                    seen.add((finding.path, finding.span))
                    yield finding


def _place(pair: Changed, now: Test) -> Place:
    shown = f"{_short(pair.before)} -> {_short(pair.after)}"
    return replace(place_of(now, pair.after), text=shown, is_of_base=False)


def _finding(pair: Changed, now: Test) -> Finding:
    before, after = (_short(check) for check in (pair.before, pair.after))
    message = f"`{text_of(pair.after.subject)[:80]}` was expected to be {before}, now {after}"
    return at_node(
        CODE, now.module, pair.after.node, f"{message}; nothing in the change explains it", Weight.COUNTS
    )


def _short(check: Check) -> str:
    text = check.expectation or check.relation
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"
