"""What the tests of a change no longer say, and for which no honest reason can be seen.

Both sides are compared as what they say, not as text. A check that is missing is excused when another
test says it, when the values it was about are checked as strictly elsewhere in one test, when a stricter
check of the same thing implies it, or when what it was about is gone from the product.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gateline.analysis.modules import Function
from gateline.analysis.trees import constants
from gateline.integrity.change_view import Both
from gateline.integrity.explanations.explanation import Ledger
from gateline.integrity.explanations.property_test import is_property
from gateline.integrity.explanations.tables.missing_check import (
    EXAMPLE,
    MISSING_CHECK,
    ExampleCheck,
    Made,
    MissingCheck,
)
from gateline.integrity.product.diff import Product
from gateline.integrity.strength.implication import (
    covers,
    is_implied,
)
from gateline.integrity.strength.loss import Loss, changed_checks, place_of
from gateline.integrity.tests.check import VACUOUS, Check
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.helper_checks import asserting_beside, followed


def losses(both: Both, product: Product, ledger: Ledger) -> list[Loss]:
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
    rows = [(old, new, _without_cases(lost, old, properties, ledger), own) for old, new, lost, own in rows]
    told = (_loss(old, new, lost, own, gained, pool, product, ledger) for old, new, lost, own in rows)
    found = [replace(loss, seen=id(loss.base) not in unseen) for loss in told]
    return [loss for loss in found if loss.lost or loss.changed or loss.now is None]


def _without_cases(lost: list[Check], old: Test, properties: Sequence[Test], ledger: Ledger) -> list[Check]:
    """The checks that are no single case of what is asked of any value from now on."""
    if not properties:
        return lost
    cases = ((check, ExampleCheck(check, old, properties)) for check in lost)
    return [check for check, case in cases if not ledger.explains(EXAMPLE, case, place_of(old, check))]


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
    gained: Sequence[Made],
    pool: Counter[tuple[str, int]],
    product: Product,
    ledger: Ledger,
) -> Loss:
    left = [check for check in lost if not _taken(check, pool)]
    changed = changed_checks(left, own)
    before = {id(pair.before) for pair in changed}
    missing = [check for check in left if id(check) not in before]
    if missing:
        beside = [(made, _fixtures(test, product)) for test, made in gained if made is not own]
        kept, given = _telling(new.checks) if new else [], _given(new, product)
        missing = [
            check
            for check in missing
            if not ledger.explains(
                MISSING_CHECK,
                MissingCheck(check, old, new is None, own, kept, given, gained, beside, product),
                place_of(old, check),
            )
        ]
    return Loss(old, new, tuple(missing), tuple(own), tuple(changed))


def weakened(old: Test, new: Test) -> list[Check]:
    """What one function asserted, and neither asserts any more nor implies."""
    lost, own = _differing(old, new)
    before = {id(pair.before) for pair in changed_checks(lost, own)}
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
