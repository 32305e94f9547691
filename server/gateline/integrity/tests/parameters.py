"""The literal rows that a test is run with: of `parametrize`, of loops, of calls with arguments."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from gateline.analysis.trees import Known, constants, put_in
from gateline.integrity.tests.partial_comparisons import EACH
from gateline.model.names import last_name

_CHOOSING = frozenset({"filter", "filterfalse", "takewhile", "dropwhile"})
MOST = 300
"""More rows than these are not rolled out."""


def rows_of(iterated: ast.expr) -> list[ast.expr] | None:
    """The items of a literal that is iterated over; None when they are not known."""
    match iterated:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return _plain(items)
        case ast.Call(func=ast.Attribute(value=ast.Dict() as table, attr=part), args=[]):
            return _of_table(table, part)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _joined(rows_of(left), rows_of(right))
        case ast.Dict():
            return _of_table(iterated, "keys")
        case ast.Subscript(value=inner, slice=ast.Slice() as part):
            return _sliced(rows_of(inner), part)
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
            return _comprehended(iterated)
        case ast.Call():
            return _of_call(iterated)
        case _:
            return None


def _of_table(table: ast.Dict, part: str) -> list[ast.expr] | None:
    """The keys, the values or both of a table that is written out."""
    keys = [key for key in table.keys if key is not None]
    if len(keys) != len(table.keys):
        return None
    found = {
        "items": lambda: _pairs(table),
        "values": lambda: _plain(table.values),
        "keys": lambda: _plain(keys),
    }
    return found[part]() if part in found else None


def _joined(first: list[ast.expr] | None, second: list[ast.expr] | None) -> list[ast.expr] | None:
    return None if first is None or second is None else _plain([*first, *second])


def item_by_item(target: ast.expr, iterated: ast.expr) -> dict[str, ast.expr]:
    """What the two names of a loop over `zip` stand for: the items at one place of two things."""
    match target, iterated:
        case (
            ast.Tuple(elts=[ast.Name(id=one), ast.Name(id=other)]),
            ast.Call(func=ast.Name(id="zip"), args=[first, second]),
        ):
            place = ast.Name(EACH, ast.Load())
            return {
                one: ast.Subscript(first, place, ast.Load()),
                other: ast.Subscript(second, place, ast.Load()),
            }
        case (
            ast.Tuple(elts=[_, ast.Tuple() as inner]),
            ast.Call(func=ast.Name(id="enumerate"), args=[made, *_]),
        ):
            return item_by_item(inner, made)
        case _:
            return {}


def _of_call(call: ast.Call) -> list[ast.expr] | None:
    match call:
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner]):
            rows = rows_of(inner)
            return rows and [_tuple(ast.Constant(place), row) for place, row in enumerate(rows)]
        case ast.Call(func=ast.Name(id="zip"), args=[_, *_]):
            columns = [rows_of(inner) for inner in call.args]
            if any(column is None for column in columns):
                return None
            return [_tuple(*row) for row in zip(*(column or [] for column in columns), strict=False)]
        case ast.Call(func=ast.Name(id="list" | "tuple" | "sorted" | "reversed" | "iter"), args=[inner]):
            return rows_of(inner)
        case ast.Call(args=[_, inner]) if last_name(call) in _CHOOSING:
            # Of rows that a condition chooses, none is sure to be left.
            return None if rows_of(inner) is None else []
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=0)]):
            return []
        case _:
            return None


def _sliced(rows: list[ast.expr] | None, part: ast.Slice) -> list[ast.expr] | None:
    """A part of the rows, where both ends are numbers."""
    ends = [ast.Constant(None) if end is None else end for end in (part.lower, part.upper, part.step)]
    try:
        first, last, step = (ast.literal_eval(end) for end in ends)
        return None if rows is None else rows[first:last:step]
    except (ValueError, TypeError):
        return None


def _comprehended(made: ast.ListComp | ast.GeneratorExp | ast.SetComp) -> list[ast.expr] | None:
    """A row for each of those it is made of; of rows that a condition chooses, none is sure to be left."""
    if len(made.generators) != 1 or not isinstance(target := made.generators[0].target, ast.Name):
        return None
    rows = rows_of(made.generators[0].iter)
    if rows is None or made.generators[0].ifs:
        return None if rows is None else []
    return [put_in(made.elt, {target.id: row}) for row in rows]


def _plain(items: Sequence[ast.expr]) -> list[ast.expr] | None:
    found: list[ast.expr] = []
    for item in items:
        rows = rows_of(item.value) if isinstance(item, ast.Starred) else [item]
        if rows is None or len(found) > MOST:
            return None
        found += rows
    return found if len(found) <= MOST else None


def _pairs(table: ast.Dict) -> list[ast.expr] | None:
    if len(table.keys) > MOST or any(key is None for key in table.keys):
        return None
    return [_tuple(k, v) for k, v in zip(table.keys, table.values, strict=True) if k is not None]


def _tuple(*items: ast.expr) -> ast.expr:
    return ast.Tuple(list(items), ast.Load())


def bound(function: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.Call) -> dict[str, ast.expr]:
    """What the parameters of `function` are in a call of it, as far as it is known."""
    names = [parameter.arg for parameter in (*function.args.posonlyargs, *function.args.args)]
    defaults = function.args.defaults
    known = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    if names[:1] in (["self"], ["cls"]):
        names = names[1:]
    for name, argument in zip(names, call.args, strict=False):
        if isinstance(argument, ast.Starred):
            break
        known[name] = argument
    if (rest := function.args.vararg) and not any(isinstance(a, ast.Starred) for a in call.args):
        known[rest.arg] = ast.Tuple(call.args[len(names) :], ast.Load())
    only = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    known |= {parameter.arg: default for parameter, default in only if default is not None}
    given = {k.arg: k.value for k in call.keywords if k.arg}
    if (rest := function.args.kwarg) and len(given) == len(call.keywords):
        own = {*names, *(parameter.arg for parameter in function.args.kwonlyargs)}
        more = {name: value for name, value in given.items() if name not in own}
        known[rest.arg] = ast.Dict([ast.Constant(name) for name in more], [*more.values()])
    return known | given


def parametrised(decorators: Sequence[ast.expr], known: Known) -> list[dict[str, ast.expr]]:
    """The values of the parameters in each run that `parametrize` makes; one run without any, if none."""
    groups = [rows for d in decorators if (rows := _of_mark(d, known)) is not None]
    made = islice(product(*groups), MOST * 2)
    return [{name: value for part in run for name, value in part.items()} for run in made]


def _of_mark(decorator: ast.expr, known: Known) -> list[dict[str, ast.expr]] | None:
    if not isinstance(decorator, ast.Call) or last_name(decorator) not in ("parametrize", "expand"):
        return None
    if len(decorator.args) < 2:
        return None
    names = _names(decorator.args[0])
    rows = rows_of(put_in(decorator.args[1], known))
    if names is None or rows is None:
        return None
    return [dict(_row(names, row)) for row in rows if not is_skipped(row)]


def values_in(run: Mapping[str, ast.expr]) -> frozenset[str]:
    """The literal values of the parameters of one run."""
    return frozenset().union(*map(constants, run.values()))


def is_skipped(row: ast.expr) -> bool:
    """Whether a row of `parametrize` is marked so that its failure does not count."""
    if not isinstance(row, ast.Call) or last_name(row) != "param":
        return False
    marks = (ast.walk(k.value) for k in row.keywords if k.arg == "marks")
    return any(last_name(n) in ("skip", "xfail") for mark in marks for n in mark if isinstance(n, ast.expr))


def _names(node: ast.expr) -> list[str] | None:
    match node:
        case ast.Constant(value=str() as text):
            return [name.strip() for name in text.split(",") if name.strip()]
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return [
                item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)
            ]
        case _:
            return None


def _row(names: Sequence[str], row: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    values: Sequence[ast.expr] = [row]
    if isinstance(row, ast.Call) and last_name(row) == "param":
        values = row.args
    elif len(names) > 1 and isinstance(row, ast.Tuple | ast.List):
        values = row.elts
    return zip(names, values, strict=False)
