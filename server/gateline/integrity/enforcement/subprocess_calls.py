"""Which commands a script in Python runs: once for each row of a table, and for each call of a helper."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from gateline.analysis.modules import Function, Module, given_by
from gateline.analysis.trees import Known, names, put_in
from gateline.model.names import last_name

_MOST = 100
"""So many rows of a table are rolled out."""
_DEPTH = 3
"""How many helpers may stand in one another."""
_CALLING = frozenset({"map", "imap", "submit", "to_thread", "partial", "starmap"})
"""What calls a function that it is given."""
_MADE_OF = frozenset({"list", "tuple", "set", "frozenset", "sorted", "split", "reversed"})


@dataclass(frozen=True, eq=False)
class Run:
    """A call, with what names stand for there; of one in a helper, the call of that."""

    node: ast.Call
    known: Known
    outer: Run | None
    line: int


@dataclass(frozen=True)
class Runs:
    """The calls of a script, each in the contexts in which it is reached."""

    module: Module

    @cached_property
    def parents(self) -> Mapping[ast.AST, ast.AST]:
        """What stands right around each node."""
        tree = self.module.source.tree or ast.Module([], [])
        return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def _tables(self) -> Known:
        """What names of the top level stand for, however long it is, if they are given a value once."""
        body = self.module.source.tree.body if self.module.source.tree else []
        given = dict(row for node in body for row in given_by(node))
        stored = (n.id for n in self.parents if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        times = Counter(stored)
        return {name: value for name, value in given.items() if times[name] == 1}

    @cached_property
    def calls(self) -> Mapping[str, Sequence[ast.Call]]:
        """By name: the calls of each function of the script, also those that are made for it elsewhere."""
        own = {name.rpartition(".")[2] for name in self.module.all_functions}
        found: dict[str, list[ast.Call]] = {}
        for node in self.parents:
            if isinstance(node, ast.Call):
                called = node.args[0] if last_name(node) in _CALLING and node.args else node
                if last_name(called) in own:
                    found.setdefault(last_name(called), []).append(node)
        return found

    def function_of(self, node: ast.AST) -> Function | None:
        """The function around a node."""
        while (above := self.parents.get(node)) is not None and not isinstance(above, Function):
            node = above
        return above if isinstance(above, Function) else None

    def contexts(self, node: ast.Call, depth: int = 0) -> Iterator[Run]:
        """The contexts in which a call is reached."""
        function = self.function_of(node)
        asked = names(node) & _parameters(function) if function is not None else frozenset()
        outers: list[tuple[Known, Run | None, int]] = [(self._tables, None, node.lineno)]
        sites = self.calls.get(function.name, ()) if function is not None else ()
        if asked and sites and function is not None and depth < _DEPTH:
            around = (run for site in sites for run in self.contexts(site, depth + 1))
            given = ((run, row) for run in around for row in _handed(function, run))
            outers = [({**self._tables, **row}, run, run.line) for run, row in given]
        for known, outer, line in outers:
            for env, row in self._rolled(node, known, line):
                yield Run(node, env, outer, row)

    def _rolled(self, node: ast.AST, known: Known, line: int) -> Iterator[tuple[Known, int]]:
        rows: list[tuple[Known, int]] = [(known, line)]
        for loop in reversed([*self._loops(node)]):
            rows = [new for row in rows for new in _of_rows(loop, *row)][:_MOST]
        yield from rows

    def _loops(self, node: ast.AST) -> Iterator[ast.For | ast.AsyncFor | ast.comprehension]:
        above = self.parents.get(node)
        while above is not None and not isinstance(above, Function):
            if isinstance(above, ast.For | ast.AsyncFor):
                yield above
            elif isinstance(above, ast.ListComp | ast.GeneratorExp | ast.SetComp):
                yield from reversed(above.generators)
            above = self.parents.get(above)


def _of_rows(
    loop: ast.For | ast.AsyncFor | ast.comprehension, known: Known, line: int
) -> Iterator[tuple[Known, int]]:
    items = rows_of(put_in(loop.iter, known))
    if items is None:
        yield known, line
        return
    for item in islice(items, _MOST):
        yield {**known, **dict(_bound(loop.target, item))}, getattr(item, "lineno", line)


def rows_of(table: ast.expr) -> list[ast.expr] | None:
    """The rows of a table that is written out; None of any other."""
    match table:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return None if any(isinstance(item, ast.Starred) for item in items) else items
        case ast.Dict(keys=keys):
            return [key for key in keys if key is not None]
        case ast.Call(func=ast.Attribute(value=ast.Dict() as inner, attr="items"), args=[]):
            pairs = zip(inner.keys, inner.values, strict=True)
            return [ast.copy_location(ast.Tuple([k, v], ast.Load()), v) for k, v in pairs if k is not None]
        case ast.Call(func=ast.Attribute(value=ast.Dict(values=values), attr="values"), args=[]):
            return values
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            found = rows_of(inner) or []
            return [
                ast.copy_location(ast.Tuple([ast.Constant(n), i], ast.Load()), i) for n, i in enumerate(found)
            ]
        case ast.Call(func=ast.Name(id=name), args=[inner, *_]) if name in _MADE_OF:
            return rows_of(inner)
        case _:
            return None


def _bound(target: ast.expr, item: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, item:
        case ast.Name(id=name), _:
            yield name, item
        case (
            (ast.Tuple(elts=targets) | ast.List(elts=targets)),
            (ast.Tuple(elts=items) | ast.List(elts=items)),
        ):
            for place, one in enumerate(targets):
                if isinstance(one, ast.Starred):
                    rest = items[place : len(items) - (len(targets) - place - 1)]
                    yield from _bound(one.value, ast.copy_location(ast.List(rest, ast.Load()), item))
                    return
                if place < len(items):
                    yield from _bound(one, items[place])


def _parameters(function: Function) -> frozenset[str]:
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg]
    return frozenset(one.arg for one in every if one is not None)


def _handed(function: Function, run: Run) -> Iterator[Known]:
    """What the parameters of a helper stand for, each time it is called there."""
    given = put_in(run.node, run.known)
    match given:
        case ast.Call(args=[_, table, *_]) if last_name(given) in ("map", "imap"):
            for row in (rows_of(table) or [])[:_MOST]:
                yield _given(function, ast.copy_location(ast.Call(given.func, [row], []), given))
        case ast.Call(args=[_, *args]) if last_name(given) in _CALLING:
            yield _given(function, ast.copy_location(ast.Call(given.func, args, given.keywords), given))
        case _:
            yield _given(function, given)


def _given(function: Function, given: ast.Call) -> Known:
    args = function.args
    plain = [one.arg for one in (*args.posonlyargs, *args.args) if one.arg != "self"]
    defaults = dict(zip(plain[len(plain) - len(args.defaults) :], args.defaults, strict=False))
    named = {one.arg: value for one, value in zip(args.kwonlyargs, args.kw_defaults, strict=True) if value}
    handed = [*_unpacked(given.args)]
    found = {**defaults, **named, **dict(zip(plain, handed, strict=False))}
    if args.vararg is not None:
        found[args.vararg.arg] = ast.copy_location(ast.List(handed[len(plain) :], ast.Load()), given)
    return {**found, **{keyword.arg: keyword.value for keyword in given.keywords if keyword.arg}}


def _unpacked(given: Sequence[ast.expr]) -> Iterator[ast.expr]:
    for one in given:
        rows = rows_of(one.value) if isinstance(one, ast.Starred) else None
        yield from rows if rows is not None else [one]
