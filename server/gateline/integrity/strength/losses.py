"""What the tests of a change no longer say, and for which no honest reason can be seen.

Both sides are compared as what they say, not as text. A check that is missing is excused when another
test says it, when the values it was about are checked as strictly elsewhere in one test, when a stricter
check of the same thing implies it, or when what it was about is gone from the product.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gateline.analysis.modules import Function
from gateline.analysis.trees import constants, names
from gateline.integrity.change_view import Both
from gateline.integrity.explanations.edited_programs import is_asked_of_edited_text
from gateline.integrity.explanations.indirect_check import is_reached
from gateline.integrity.explanations.property_test import is_one_case, is_property
from gateline.integrity.product.diff import Product
from gateline.integrity.strength.implication import (
    covers,
    is_as_strict,
    is_implied,
    is_pieced_together,
    is_told_in_parts,
    is_within_both,
)
from gateline.integrity.tests.check import VACUOUS, Check
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.helper_checks import asserting_beside, followed
from gateline.model.names import last_name

_WORD = re.compile(r"[^\W\d_]\w+")


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


def losses(both: Both, product: Product) -> list[Loss]:
    """The tests that say less than before, or something else."""
    pairs, beside = both.pairs, asserting_beside(both)
    kept = [(old, new, followed(old, new, beside)) for old, new in pairs.both if may_differ(old, new)]
    unseen = {id(old) for old, _, seen in kept if seen is None}
    rows: list[tuple[Test, Test | None, list[Check], list[Check]]] = [
        (old, seen or new, *_differing(old, seen or new)) for old, new, seen in kept
    ]
    rows += [(old, None, _telling(old.checks), []) for old in pairs.gone]
    come = [new for new in pairs.come if not any(mark.in_force for mark in new.marks)]
    gained = [(new, made) for _, new, _, made in rows] + [(new, _telling(new.checks)) for new in come]
    pool = Counter(_key(check) for _, made in gained for check in made)
    properties = [test for test in (*pairs.come, *(new for _, new, _, _ in rows if new)) if is_property(test)]
    rows = [(old, new, _without_cases(lost, old, properties), own) for old, new, lost, own in rows]
    told = (_loss(old, new, lost, own, gained, pool, product) for old, new, lost, own in rows)
    found = [replace(loss, seen=id(loss.base) not in unseen) for loss in told]
    return [loss for loss in found if loss.lost or loss.changed or loss.now is None]


def _without_cases(lost: list[Check], old: Test, properties: Sequence[Test]) -> list[Check]:
    """The checks that are no single case of what is asked of any value from now on."""
    return [check for check in lost if not any(is_one_case(check, old, new) for new in properties)]


def may_differ(old: Test, new: Test) -> bool:
    """Whether two tests may say different things: their texts differ, or what stands around them does."""
    return old.print != new.print or old.module.support != new.module.support


def _telling(checks: Iterable[Check]) -> list[Check]:
    return [check for check in checks if check.strength > VACUOUS]


def _key(check: Check) -> tuple[str, int]:
    return check.text, check.strength


def _differing(old: Test, new: Test) -> tuple[list[Check], list[Check]]:
    """The checks that only the base has, and those that only now has."""
    before, after = _telling(old.checks), _telling(new.checks)
    return _without(before, after), _without(after, before)


def _without(checks: Sequence[Check], others: Sequence[Check]) -> list[Check]:
    left = Counter(_key(check) for check in others)
    found = []
    for check in checks:
        if left[_key(check)] > 0:
            left[_key(check)] -= 1
        else:
            found.append(check)
    return found


def _loss(
    old: Test,
    new: Test | None,
    lost: list[Check],
    own: list[Check],
    gained: Sequence[tuple[Test | None, list[Check]]],
    pool: Counter[tuple[str, int]],
    product: Product,
) -> Loss:
    left = [check for check in lost if not _taken(check, pool)]
    changed = _changed(left, own)
    before = {id(pair.before) for pair in changed}
    others = [made for _, made in gained if made is not own and made]
    beside = [(made, _fixtures(test, product)) for test, made in gained if made is not own] if left else []
    kept, given = _telling(new.checks) if new else [], _given(new, product)
    missing = [
        check
        for check in left
        if id(check) not in before
        and not is_about_gone(check, product)
        and not (own and check.names & product.gone_beside)
        and not is_implied(check, kept)
        and not covers(own, check, own=True, given=given)
        and not is_pieced_together(own, check)
        and not is_told_in_parts(own, check)
        and not is_asked_of_edited_text(own, check)
        and not any(is_within_both(made, check) for made in (own, *others))
        and not any(covers(made, check, own=False, around=fixtures) for made, fixtures in beside)
        and not (new is None and any(_changed([check], made) for made in others))
        and not any(is_reached(check, old, made, test) for test, made in gained if test)
    ]
    return Loss(old, new, tuple(missing), tuple(own), tuple(changed))


def weakened(old: Test, new: Test) -> list[Check]:
    """What one function asserted, and neither asserts any more nor implies."""
    lost, own = _differing(old, new)
    before = {id(pair.before) for pair in _changed(lost, own)}
    kept = _telling(new.checks)
    return [
        check
        for check in lost
        if id(check) not in before and not is_implied(check, kept) and not covers(own, check, own=True)
    ]


def _taken(check: Check, pool: Counter[tuple[str, int]]) -> bool:
    if pool[_key(check)] > 0:
        pool[_key(check)] -= 1
        return True
    return False


def _changed(lost: Sequence[Check], gained: Sequence[Check]) -> list[Changed]:
    """Checks of the same thing, as strict as before, that expect something else of it."""
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


def is_about_gone(check: Check, product: Product) -> bool:
    """Whether a check is about a name or a word that the product has no more."""
    # The message of an error tells what it is about; what was given is what any input may be.
    said = constants(check.expected) if check.relation == "raises" and check.expected is not None else None
    if check.names & product.gone or any(map(product.lost_word, said or check.constants)):
        return True
    words = {word for value in said or constants(check.subject) for word in _WORD.findall(value)}
    if any(repr(word) in product.gone_constants for word in words):
        return True
    calls = (node for node in ast.walk(check.subject) if isinstance(node, ast.Call))
    return any(product.takes_no_more(last_name(c), k.arg) for c in calls for k in c.keywords if k.arg)


def test_is_about_gone(test: Test, product: Product) -> bool:
    """Whether a test uses something that the product has no more."""
    calls = [node for node in ast.walk(test.node) if isinstance(node, ast.Call)]
    keywords = {k.arg for call in calls for k in call.keywords if k.arg}
    if names(test.node) & product.gone or keywords & product.gone_parameters:
        return True
    return any(len(call.args) > product.most_arguments(last_name(call)) for call in calls)


def _fixtures(test: Test | None, product: Product) -> list[Function]:
    """The fixtures that a test asks for, as far as its file or a changed one has them."""
    if test is None:
        return []
    shared = product.both.derived(_shared)
    found = (test.module.functions.get(name, shared.get(name)) for name in sorted(test.fixtures))
    return [function for function in found if function is not None]


def _shared(both: Both) -> dict[str, Function]:
    """The functions of the changed files of fixtures, by name."""
    sides = [pair.now for pair in both.tests if pair.now and pair.path.endswith("conftest.py")]
    return {name: node for side in sides for name, node in side.functions.items()}


def _given(test: Test | None, product: Product) -> frozenset[str]:
    """The values in the functions that a test calls to get what it looks at, or makes to hand them out."""
    if test is None:
        return frozenset()
    functions = test.module.functions
    called = [functions[name] for name in test.said.calls if name in functions]
    called += _fixtures(test, product)
    made = [n for part in test.node.body for n in ast.walk(part) if isinstance(n, ast.Lambda | Function)]
    return frozenset().union(*map(constants, (*called, *made)))
