"""Which checks make up for one that is missing: they look at the same values as strictly, or imply it."""

from __future__ import annotations

import ast
import builtins
import contextlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence

from gateline.analysis.trees import constants, is_literal, is_truth, is_value, literal, names, text_of
from gateline.integrity.tests.check import Check, raised_by
from gateline.model.names import last_name

_BUILT_IN = frozenset().union(dir(builtins), *map(dir, (str, bytes, dict, list, set)), ("json", "loads"))
"""What Python itself makes of a value."""
_STAND_INS = frozenset({"Mock", "MagicMock", "AsyncMock", "NonCallableMock", "create_autospec", "mock"})
_MAKING = frozenset(dir(builtins)) | {"date", "datetime", "time", "timedelta", "Decimal", "Fraction", "Path"}
"""By which values are made that have nothing to do with the product."""
_TRIVIAL = frozenset({"0", "1", "-1", "2", "''"})
_OF_ERRORS = frozenset({"value", "exception", "args", "type"})
"""By what an error that was caught is reached."""
_ABOVE: dict[type[ast.cmpop], str] = {ast.Lt: ">", ast.LtE: ">="}
_BELOW: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<="}
_COUNTS = frozenset({"call_count", "await_count", "len"})
_MOST = 0.6
"""The share of a text that its pieces must make up."""
_LONG = 12
"""Letters of a text that is told in pieces."""
_SHARED = 0.5
"""The share of a check's names that must return where its values do."""


def is_as_strict(other: Check, check: Check) -> bool:
    """Whether a check says as much as another one; of any it says less than of all."""
    return other.strength >= check.strength and not asks_any(other, check)


def asks_any(other: Check, check: Check) -> bool:
    """Whether a check asks of any what another one asks of all."""
    return check.text.startswith("all(") and other.text == f"any({check.text.removeprefix('all(')}"


def is_implied(check: Check, kept: Iterable[Check]) -> bool:
    """Whether something stricter is asked of the same thing, or of what it is made of."""
    return any(
        (other.core == check.core and other.strength > check.strength and not _asks_more(check, other))
        or _is_worked_out(check, other)
        or _is_part(check, other)
        or _is_in_lines(check, other)
        or _is_read_back(check, other)
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
    whole = known.exact and known.relation == "==" and _is_answer(known.subject)
    made = known.subject_text != check.subject_text and known.subject_text in check.subject_text
    return whole and made and names(check.subject) <= known.names | _BUILT_IN


def _is_answer(subject: ast.expr) -> bool:
    """Whether something is what a call answers, or an attribute of that."""
    return isinstance(subject, ast.Call) or (
        isinstance(subject, ast.Attribute) and isinstance(subject.value, ast.Call)
    )


def _is_part(check: Check, known: Check) -> bool:
    """Whether a check is about an attribute of what is known as a whole, with that among its values."""
    made = known.expected
    if not (known.exact and known.relation == "==" and isinstance(made, ast.Call) and is_value(made)):
        return False
    part = check.subject
    while isinstance(part, ast.Attribute):
        part = part.value
    if part is check.subject or text_of(part) != known.subject_text:
        return False
    empty = any(is_truth(value, of=False) for value in (*made.args, *(k.value for k in made.keywords)))
    return check.constants <= known.constants if check.expected is not None else empty


def _is_in_lines(check: Check, known: Check) -> bool:
    """Whether a text was to have a part that one of its lines has, which are expected to the letter."""
    match check.relation, check.expected, known.subject, known.expected:
        case (
            "in",
            ast.Constant(value=str() as part),
            ast.Call(func=ast.Attribute(attr="splitlines" | "split", value=whole)),
            ast.List(elts=lines),
        ):
            said = [line.value for line in lines if isinstance(line, ast.Constant)]
            same = known.exact and text_of(whole) == check.subject_text
            return same and any(part in line for line in said if isinstance(line, str))
        case _:
            return False


def _is_read_back(check: Check, known: Check) -> bool:
    """Whether data was compared as text in JSON, and is by itself now: `dumps(x) == '[1]'`, `x == [1]`."""
    match check.subject, check.expected, known.expected:
        case ast.Call(args=[data]) as call, ast.Constant(value=str() as text), ast.expr() as made:
            same = last_name(call) == "dumps" and text_of(data) == known.subject_text
        case _:
            return False
    if not (same and known.exact and known.relation == check.relation == "=="):
        return False
    with contextlib.suppress(ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return bool(json.loads(text) == ast.literal_eval(made))
    return False


def _stands_alone(value: ast.expr, subject: ast.expr) -> bool:
    """Whether a value is given or made without the help of what is looked at."""
    called = {last_name(node) for node in ast.walk(value) if isinstance(node, ast.Call)}
    asked = {last_name(node) for node in ast.walk(subject) if isinstance(node, ast.Call)}
    return is_literal(value) or (called <= _MAKING and called.isdisjoint(asked))


def covers(
    made: Sequence[Check],
    check: Check,
    *,
    own: bool,
    given: frozenset[str] = frozenset(),
    around: Sequence[ast.AST] = (),
) -> bool:
    """Whether the checks of one test, together, look at the same values as strictly.

    In its `own` test, what is looked at may have got other names, and come from `given` values.
    Of another one, `around` are the fixtures that make what it looks at.
    """
    strict = [other for other in made if is_as_strict(other, check)]
    if not strict:
        return False
    if own and any(_expects_the_same(other, check) for other in strict):
        return True
    # Of a table some rows may expect nothing, which says less.
    tables = {id(other.node) for other in strict}
    values = frozenset().union(*(other.constants for other in made if id(other.node) in tables))
    known = frozenset().union(*(other.names for other in strict), *map(names, around))
    given = given.union(*map(constants, around))
    shared = len(check.names & known) >= _SHARED * len(check.names)
    expected = _values(check.expected) if check.expected is not None else frozenset()
    trivial = _TRIVIAL - expected if last_name(check.subject) in _COUNTS else _TRIVIAL
    if telling := (constants(check.subject) | expected) - trivial:
        return (own or shared) and telling <= values | (given - expected)
    # Something real may be given where a stand-in was.
    asked = check.names - _STAND_INS
    alike = (len(asked & other.names) >= 0.7 * len(asked) for other in strict)
    return check.constants <= values and any(alike)


def _values(expected: ast.expr) -> frozenset[str]:
    """The literal values of what is expected, without the numbers of places where they are picked out."""
    places = [_place(node) for node in ast.walk(expected) if isinstance(node, ast.Subscript)]
    numbers = Counter(text for place in places for text in place)
    all_of = Counter(literal(node) for node in ast.walk(expected) if isinstance(node, ast.Constant))
    return constants(expected) & {*(all_of - numbers)}


def _place(node: ast.Subscript) -> list[str]:
    """The numbers by which items are picked out: `[2]`, `[1:3]`."""
    found = (n for n in ast.walk(node.slice) if isinstance(n, ast.Constant))
    return [literal(n) for n in found if isinstance(n.value, int)]


def is_part_of(check: Check, whole: Check) -> bool:
    """Whether one item of an answer was looked at, of which all is expected: `f(x)[1]`, `f(x) == (a, b)`."""
    match check.subject, whole.subject, whole.expected:
        case ast.Subscript(value=ast.Call() as one), ast.Call() as other, ast.Tuple(elts=[_, _, *_]):
            return whole.exact and last_name(one) == last_name(other)
        case _:
            return False


def is_pieced_together(own: Sequence[Check], check: Check) -> bool:
    """Whether an error's kind and its message, once looked at together, are so one by one."""
    about = [other for other in own if other.core == check.core]
    raised = any(other.relation == "raises" for other in about)
    said = frozenset().union(*(other.constants for other in about))
    return check.relation == "raises" and raised and len(about) > 1 and check.constants <= said


def is_told_in_parts(own: Sequence[Check], check: Check) -> bool:
    """Whether the same is asked for in other parts: items for their number, and the pieces of a text."""
    exact = [other for other in own if other.exact and other.expected is not None]
    told = (_has_so_many(o, check) or _has_its_pieces(o, check) or _is_of_log(o, check) for o in exact)
    return any(told) or any(_is_recorded(other, check) for other in exact)


def _is_recorded(other: Check, check: Check) -> bool:
    """Whether a list has what a double was called with: `[1, 2]` for `[call(1), call(2)]`."""
    sides = (side for side in (check.subject, check.expected) if isinstance(side, ast.List))
    calls = next((side.elts for side in sides if side.elts and all(map(_is_of_one, side.elts))), [])
    given = [text_of(call.args[0]) for call in calls if isinstance(call, ast.Call)]
    lists = (side for side in (other.subject, other.expected) if isinstance(side, ast.List))
    return bool(given) and any([text_of(item) for item in side.elts] == given for side in lists)


def _is_of_one(node: ast.expr) -> bool:
    """Whether a call of a double is told, with one argument."""
    match node:
        case ast.Call(args=[_], keywords=[]):
            return last_name(node) == "call"
        case _:
            return False


def _is_of_log(other: Check, check: Check) -> bool:
    """Whether a logger's lines are expected of pytest's log, where unittest was to catch some."""
    known = check.expected is not None and constants(check.expected) <= other.constants
    return check.relation == "raises" and "caplog" in other.names and known


def _has_so_many(other: Check, check: Check) -> bool:
    """Whether a list is expected of as many items as were counted: `call_count == 2`, `len(x) == 2`."""
    counted = last_name(check.subject) in _COUNTS and check.relation == "=="
    sides = (side for side in (other.subject, other.expected) if isinstance(side, ast.List | ast.Tuple))
    return counted and any(side.elts and check.expectation == str(len(side.elts)) for side in sides)


def _has_its_pieces(other: Check, check: Check) -> bool:
    """Whether the texts that are expected make up most of a text that was expected to the letter."""
    if not check.exact or check.expected is None:
        return False
    texts, pieces = (
        [n.value for n in ast.walk(e) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        for e in (check.expected, other.expected or check.expected)
    )
    left = "".join(texts)
    rest = constants(check.expected) - {repr(text) for text in texts}
    found = sum(len(piece) for piece in pieces if len(piece) > 1 and piece in left)
    known = len(pieces) > 1 and all(piece in left for piece in pieces) and rest <= other.constants
    return len(left) >= _LONG and known and found >= _MOST * len(left)


def is_within_both(made: Sequence[Check], check: Check) -> bool:
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
