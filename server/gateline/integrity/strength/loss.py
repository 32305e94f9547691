"""What a test of the base checked and now does not, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gateline.integrity.explanations.explanation import Place
from gateline.integrity.strength.implication import is_as_strict
from gateline.integrity.tests.check import Check
from gateline.integrity.tests.collection import Test


@dataclass(frozen=True)
class Changed:
    """A check that now expects another value of the same thing."""

    before: Check
    after: Check

    @property
    def sides(self) -> tuple[Check, Check]:
        """The check before, and the one after."""
        return self.before, self.after


@dataclass(frozen=True)
class Loss:
    """A test of the base and what of it is missing."""

    base: Test
    now: Test | None
    lost: tuple[Check, ...]
    gained: tuple[Check, ...] = ()
    changed: tuple[Changed, ...] = ()
    seen: bool = True
    """Whether all is known that it says now, also by functions beside the tests."""


def changed_checks(lost: Sequence[Check], gained: Sequence[Check]) -> list[Changed]:
    """Pair checks of the same thing, as strict as before, that expect something else of it."""
    found = []
    waiting = list(gained)
    for check in lost:
        same = [c for c in waiting if c.core == check.core and is_as_strict(c, check)]
        if same:
            other = next((c for c in same if c.relation == check.relation), same[0])
            if other.strength == check.strength:
                waiting.remove(other)
            found.append(Changed(check, other))
    return found


def place_of(test: Test, check: Check) -> Place:
    """Where a test of the base makes a check."""
    return Place(test.path, getattr(check.node, "lineno", test.node.lineno), check.text)
