"""What a function that forgets to return may have been for: the names it builds up, changes or returns."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from gateline.repairs.analysis.code import Code, Function, walk_scope
from gateline.repairs.analysis.likeness import words
from gateline.repairs.analysis.scopes import Kind, bound, built_up, loads
from gateline.repairs.priors import prior

_NOTHING = re.compile(r"\b(None|NoReturn|Never|Optional|Any|object|Generator|Iterator|Iterable|Coroutine)\b")
"""What an annotation says of a function that may end without a value, or gives values otherwise."""
_OWN = frozenset({"self", "cls"})


def results(code: Code, function: Function) -> Iterator[tuple[str, float]]:
    """Names that a function may return, with their cost.

    Locals that are built up and never read, then what it returns elsewhere, first and last assigned,
    parameters, and what the module defines and nothing uses.
    """
    nodes = list(walk_scope(function))
    names = [n for n in bound(function) if n.text[:1] != "_"]
    local = list(dict.fromkeys(n.text for n in names if n.kind is Kind.LOCAL))
    built, given = set(built_up(function)), set(_returned(nodes))
    looped = {n.id for n in nodes if isinstance(n, ast.Name) and _is_looped(code, n)}
    for rank, name in enumerate(local):
        inner = min(rank, len(local) - 1 - rank)
        cost = prior("donors.result-local") + prior("donors.result-local-rank") * inner
        cost = prior("donors.result-loop-variable") if name in looped else cost
        cost = prior("donors.result-unread") if not loads(nodes, name) else cost
        if name in built:
            is_only_built = _is_only_built(code, function, name)
            cost = prior("donors.result-only-built") if is_only_built else prior("donors.result-built")
        yield name, min(cost, prior("donors.result-returned-elsewhere")) if name in given else cost
    for rank, name in enumerate(reversed([n.text for n in names if n.kind is Kind.FUNCTION])):
        # What is defined inside and never called there was made for others.
        cost = prior("donors.result-inner-uncalled") + prior("donors.result-inner-uncalled-rank") * rank
        yield name, cost if not loads(nodes, name) else prior("donors.result-inner")
    asked = _asked_last(function)
    for name in (n.text for n in names if n.kind is Kind.PARAMETER and n.text not in _OWN):
        if name in asked:
            yield name, prior("donors.result-parameter-tested-last")
        likely = (
            prior("donors.result-parameter-returned") if name in given else prior("donors.result-parameter")
        )
        likely = prior("donors.result-parameter-built") if name in built else likely
        yield name, prior("donors.result-parameter-filled") if _is_filled(code, nodes, name) else likely
    yield from _object(code, function)
    for name in (n.text for n in bound(code.tree) if n.kind is Kind.MODULE and not n.text.startswith("__")):
        if not loads(code.nodes, name):
            # A constant is there for others.
            yield (
                name,
                prior("donors.result-unused-constant")
                if name.isupper()
                else prior("donors.result-unused-of-module"),
            )


def gives_a_value(function: Function) -> bool:
    """Whether a function returns something somewhere, or is a generator; those inside it do not count."""
    nodes = list(walk_scope(function))
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in nodes) or any(_given(nodes))


def thrown_away(code: Code, function: Function) -> Iterator[str]:
    """Locals that begin empty and are built up, and never read, in a function that gives no value."""
    if gives_a_value(function):
        return
    for node in walk_scope(function):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if not isinstance(target, ast.Name) or not _is_empty(value):
            continue
        if loads(ast.walk(function), target.id) and _is_only_built(code, function, target.id):
            yield target.id


def _is_looped(code: Code, name: ast.Name) -> bool:
    """Whether a loop gives a name its values."""
    holder = code.parent(name)
    holder = code.parent(holder) if isinstance(holder, ast.Tuple) else holder
    return isinstance(holder, ast.For | ast.AsyncFor) and isinstance(name.ctx, ast.Store)


def _is_filled(code: Code, nodes: list[ast.AST], name: str) -> bool:
    """Whether items are set in what a name holds."""
    stored = (n for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store))
    return any(isinstance(n.value, ast.Name) and n.value.id == name for n in stored)


def _asked_last(function: Function) -> set[str]:
    """What a function asks about at its end, and leaves with another value: the rest stays as it is."""
    last = function.body[-1]
    if not isinstance(last, ast.If) or last.orelse or not isinstance(last.body[-1], ast.Return | ast.Raise):
        return set()
    return {n.id for n in ast.walk(last.test) if isinstance(n, ast.Name)}


def emptied(code: Code, function: Function) -> Iterator[tuple[ast.Return, str, float]]:
    """A `return` of nothing in a function that gives values elsewhere, with what it may have given.

    What its condition asks about comes first: `if isinstance(text, str): return`. At the end of the function
    it is what was built up.
    """
    nodes = list(walk_scope(function))
    empty = [n for n in nodes if isinstance(n, ast.Return) and n.value is None]
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in nodes) or not empty:
        return
    is_giving = any(_given(nodes)) or promises_a_value(function)
    for node in empty:
        yield from ((node, text, prior("donors.result-of-namesake")) for text in as_others(code, function))
        if not is_giving:
            continue
        yield from (
            (node, text, prior("donors.result-uncalled-function")) for text in _never_called(code, function)
        )
        yield from ((node, text, prior("donors.result-sibling-call")) for text in _beside(code, function))
        known = list(results(code, function))
        holder = code.parent(node)
        tested = (
            [n.id for n in ast.walk(holder.test) if isinstance(n, ast.Name)]
            if isinstance(holder, ast.If)
            else []
        )
        own = {name for name, _ in known}
        first, each = prior("donors.result-tested"), prior("donors.result-tested-rank")
        costs = {name: first + each * rank for rank, name in enumerate(t for t in tested if t in own)}
        for name, cost in known:
            yield node, name, costs.get(name, cost)


def as_others(code: Code, function: Function) -> Iterator[str]:
    """What functions of the same name return, where all of its names have a value here."""
    names = {n.text for n in bound(function)}
    local = {n.text for n in bound(function) if n.kind is Kind.LOCAL}
    for other in (f for f in code.functions.get(function.name, ()) if f is not function):
        for value in _given(walk_scope(other)):
            used = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
            if used & local and used <= names and "\n" not in code.segment(value):
                yield code.segment(value)


def _never_called(code: Code, function: Function) -> Iterator[str]:
    """A function of the module that nothing names, and whose parameters are called like what is at hand."""
    known = {n.text for n in bound(function)}
    for node in code.tree.body:
        if isinstance(node, Function) and node is not function and not loads(code.nodes, node.name):
            names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
            needed = names[: len(names) - len(node.args.defaults)]
            # What calls this one itself has no part in it.
            is_above = any(loads(walk_scope(node), function.name))
            if needed and set(needed) <= known and not node.decorator_list and not is_above:
                yield f"{node.name}({', '.join(needed)})"


def _beside(code: Code, function: Function) -> Iterator[str]:
    """`parsed_short(tokens)` beside `return parsed_long(tokens)`: a function called with the same."""
    for value in _given(walk_scope(function)):
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name) or not value.args:
            continue
        given = [a.id for a in value.args if isinstance(a, ast.Name)]
        for node in code.tree.body:
            if not isinstance(node, Function) or node.name in {function.name, value.func.id}:
                continue
            names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
            is_alike = words(node.name)[:1] == words(value.func.id)[:1]
            if is_alike and names[: len(names) - len(node.args.defaults)] == given:
                yield f"{node.name}({', '.join(given)})"


def promises_a_value(function: Function) -> bool:
    """Whether the annotation says that it always gives something."""
    note = "" if function.returns is None else ast.unparse(function.returns)
    return bool(note) and not _NOTHING.search(note)


def _given(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    yield from (n.value for n in nodes if isinstance(n, ast.Return) and n.value is not None)


def _is_empty(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return not value.args and isinstance(value.func, ast.Name)
    return isinstance(value, ast.List | ast.Dict)


def _returned(nodes: list[ast.AST]) -> Iterator[str]:
    """What other branches return, or make their value of: `return line.decode()`."""
    for value in _given(nodes):
        at: ast.expr = value
        while isinstance(at, ast.Call | ast.Attribute | ast.Subscript):
            at = at.func if isinstance(at, ast.Call) else at.value
        if isinstance(at, ast.Name):
            yield at.id


def _is_only_built(code: Code, function: Function, name: str) -> bool:
    """Whether nothing reads a name but what adds to it: `rows.append(row)`."""
    return all(_adds(code, load) for load in loads(ast.walk(function), name))


def _adds(code: Code, load: ast.Name) -> bool:
    holder = code.parent(load)
    if isinstance(holder, ast.Call) and isinstance(holder.func, ast.Name):
        return holder.func.id == "isinstance"
    if isinstance(holder, ast.Subscript):
        return isinstance(holder.ctx, ast.Store | ast.Del)
    call = code.parent(holder) if isinstance(holder, ast.Attribute) else None
    return call is not None and isinstance(code.parent(call), ast.Expr)


def _object(code: Code, function: Function) -> Iterator[tuple[str, float]]:
    """The object itself, in a class whose other methods return it."""
    cls = code.class_of(function)
    first = function.args.args[0].arg if function.args.args else ""
    if cls is None or first not in _OWN:
        return
    given = (n.value for n in ast.walk(cls) if isinstance(n, ast.Return))
    if any(isinstance(value, ast.Name) and value.id == first for value in given):
        yield first, prior("donors.result-self")
