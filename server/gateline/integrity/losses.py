"""What the tests of a change no longer say, and for which no honest reason can be seen.

Both sides are compared as what they say, not as text. A check that is missing is excused when another
test says it, when the values it was about are checked as strictly elsewhere in one test, when a stricter
check of the same thing implies it, or when what it was about is gone from the product.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from gateline.integrity.beside import asserting_beside, followed
from gateline.integrity.both import Both
from gateline.integrity.check import VACUOUS, Check, raised_by
from gateline.integrity.generalised import is_one_case, is_property
from gateline.integrity.product import Product
from gateline.integrity.tests import Test
from gateline.integrity.text import constants, is_literal, last_name, names, text_of

_BUILT_IN = frozenset(dir(builtins)) | {"keys", "values", "items"}
_MAKING = frozenset(dir(builtins)) | {"date", "datetime", "time", "timedelta", "Decimal", "Fraction", "Path"}
"""By which values are made that have nothing to do with the product."""
_TRIVIAL = frozenset({"0", "1", "-1", "2", "''"})
_OF_ERRORS = frozenset({"value", "exception", "args", "type"})
"""By what an error that was caught is reached."""
_ABOVE: dict[type[ast.cmpop], str] = {ast.Lt: ">", ast.LtE: ">="}
_BELOW: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<="}
_SHARED = 0.5
"""The share of a check's names that must return where its values do."""


@dataclass(frozen=True)
class Changed:
    """A check that now expects another value of the same thing."""

    before: Check
    after: Check


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
    gained = [made for _, _, _, made in rows] + [_telling(new.checks) for new in pairs.come]
    pool = Counter(_key(check) for made in gained for check in made)
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
    gained: list[list[Check]],
    pool: Counter[tuple[str, int]],
    product: Product,
) -> Loss:
    left = [check for check in lost if not _taken(check, pool)]
    changed = _changed(left, own)
    before = {id(pair.before) for pair in changed}
    others = [made for made in gained if made is not own and made]
    kept, given = _telling(new.checks) if new else [], _given(new)
    missing = [
        check
        for check in left
        if id(check) not in before
        and not is_about_gone(check, product)
        and not (own and check.names & product.gone_beside)
        and not _is_implied(check, kept)
        and not _covers(own, check, own=True, given=given)
        and not _is_pieced_together(own, check)
        and not any(_is_within_both(made, check) for made in (own, *others))
        and not any(_covers(made, check, own=False) for made in others)
        and not (new is None and any(_changed([check], made) for made in others))
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
        if id(check) not in before and not _is_implied(check, kept) and not _covers(own, check, own=True)
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


def is_as_strict(other: Check, check: Check) -> bool:
    """Whether a check says as much as another one; of any it says less than of all."""
    return other.strength >= check.strength and not asks_any(other, check)


def asks_any(other: Check, check: Check) -> bool:
    """Whether a check asks of any what another one asks of all."""
    return check.text.startswith("all(") and other.text == f"any({check.text.removeprefix('all(')}"


def is_about_gone(check: Check, product: Product) -> bool:
    """Whether a check is about a name or a word that the product has no more."""
    if check.names & product.gone or any(map(product.lost_word, check.constants)):
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


def _is_implied(check: Check, kept: Iterable[Check]) -> bool:
    return any(
        (other.core == check.core and other.strength > check.strength and not _asks_more(check, other))
        or _is_worked_out(check, other)
        for other in kept
    )


def _asks_more(check: Check, other: Check) -> bool:
    """Whether a check is about another part of an error than one that knows a part of it: its cause."""
    if raised_by(check.subject) is None:
        return False
    mine, others = (
        {node.attr for node in ast.walk(side.subject) if isinstance(node, ast.Attribute)}
        for side in (check, other)
    )
    return bool(mine - others - _OF_ERRORS)


def _is_worked_out(check: Check, known: Check) -> bool:
    """Whether a check is about what is made of a value that is known as a whole: `sum(x)`, `x == [1, 2]`."""
    values = [one.expected for one in (check, known)]
    if not all(value is not None and _stands_alone(value, check.subject) for value in values):
        return False
    whole = known.exact and known.relation == "==" and isinstance(known.subject, ast.Call)
    made = known.subject_text != check.subject_text and known.subject_text in check.subject_text
    return whole and made and names(check.subject) <= known.names | _BUILT_IN


def _stands_alone(value: ast.expr, subject: ast.expr) -> bool:
    """Whether a value is given or made without the help of what is looked at."""
    called = {last_name(node) for node in ast.walk(value) if isinstance(node, ast.Call)}
    asked = {last_name(node) for node in ast.walk(subject) if isinstance(node, ast.Call)}
    return is_literal(value) or (called <= _MAKING and called.isdisjoint(asked))


def _given(test: Test | None) -> frozenset[str]:
    """The values that functions of its file have, which a test calls to get what it looks at."""
    functions = test.module.functions if test else {}
    called = (functions[name] for name in test.said.calls if name in functions) if test else ()
    return frozenset().union(*map(constants, called))


def _covers(made: Sequence[Check], check: Check, *, own: bool, given: frozenset[str] = frozenset()) -> bool:
    """Whether the checks of one test, together, look at the same values as strictly.

    In its `own` test, what is looked at may have got other names, and come from `given` values.
    """
    strict = [other for other in made if is_as_strict(other, check)]
    if not strict:
        return False
    if own and any(_expects_the_same(other, check) for other in strict):
        return True
    values = frozenset().union(*(other.constants for other in strict))
    known = frozenset().union(*(other.names for other in strict))
    shared = len(check.names & known) >= _SHARED * len(check.names)
    if telling := check.constants - _TRIVIAL:
        expected = constants(check.expected) if check.expected is not None else frozenset()
        return (own or shared) and telling <= values | (given - expected)
    alike = (len(check.names & other.names) >= 0.7 * len(check.names) for other in strict)
    return check.constants <= values and any(alike)


def _is_pieced_together(own: Sequence[Check], check: Check) -> bool:
    """Whether an error's kind and its message, once looked at together, are so one by one."""
    about = [other for other in own if other.core == check.core]
    raised = any(other.relation == "raises" for other in about)
    said = frozenset().union(*(other.constants for other in about))
    return check.relation == "raises" and raised and len(about) > 1 and check.constants <= said


def _is_within_both(made: Sequence[Check], check: Check) -> bool:
    """Whether both bounds between which something must be are asked for one by one."""
    match check.node, check.relation:
        case ast.Assert(test=ast.Compare(left=low, ops=[_, _] as signs, comparators=[_, high])), "between":
            above, below = _ABOVE.get(type(signs[0])), _BELOW.get(type(signs[1]))
        case _:
            return False
    found = {(o.relation, o.expectation) for o in made if o.subject_text == check.subject_text}
    return {(above, text_of(low)), (below, text_of(high))} <= found


def _expects_the_same(one: Check, other: Check) -> bool:
    if one.relation == other.relation == last_name(one.expected or one.subject):
        # A function of some library that checks: how it is called is its own matter.
        return other.names <= one.names
    wanted = _plain(one.expectation)
    return one.relation == other.relation and bool(wanted) and wanted == _plain(other.expectation)


def _plain(expectation: str) -> str:
    """An expectation, bytes as the text that they are."""
    return expectation.removeprefix("b") if expectation[1:2] in ("'", '"') else expectation
