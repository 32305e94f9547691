"""What nobody writes on purpose, as the code alone shows, with what was meant."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gateline.model import Edit
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function, parameters, walk_scope
from gateline.repairs.analysis.likeness import plain
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.analysis.spelling import unquoted, with_prefix, without_prefix
from gateline.repairs.donors.call_arguments import default_of
from gateline.repairs.priors import prior

_KINDS = (str, bytes, list, tuple, dict, set, int, float)
_METHODS = frozenset(
    name
    for kind in _KINDS
    for name in dir(kind)
    if not name.startswith("_") and callable(getattr(kind, name))
)
"""Methods of the built-in types."""
_TAKERS = frozenset(
    {"len", "sorted", "list", "set", "tuple", "dict", "int", "str", "float", "sum", "min", "max"}
)
_TAKERS |= {"any", "all", "enumerate", "reversed", "zip", "iter", "frozenset", "bool"}
"""Functions that take a value, and never a function alone."""
_BUILT_IN = _TAKERS | {
    "isinstance",
    "print",
    "repr",
    "type",
    "id",
    "hash",
    "getattr",
    "hasattr",
    "map",
    "filter",
}
_SEVERAL = frozenset(
    {"split", "rsplit", "partition", "rpartition", "popitem", "divmod", "most_common", "span"}
)
"""Calls that give several values at once."""


_NOTED = frozenset({"list", "tuple", "set", "dict", "frozenset", "type"})
"""Classes that annotations take items of."""
_CALLED = _NOTED | {"enumerate", "zip", "map", "filter", "reversed", "sorted", "len", "range", "sum"}
_ALIKE = 3
"""Calls of a function that show what is usual."""


class Slip(NamedTuple):
    """What is wrong, and how it is set right."""

    title: str
    edits: Sequence[Edit]
    pattern: str
    cost: float


def uncalled_methods(code: Code) -> Iterator[Slip]:
    """`text.strip == mark`: a method of a built-in type where its result is meant.

    What is named more than once without a call may be an attribute of something else: `frame.index`.
    """
    funcs = {n.func for n in code.nodes if isinstance(n, ast.Call)}
    alone = Counter(n.attr for n in code.nodes if isinstance(n, ast.Attribute) and n not in funcs)
    for node in code.nodes:
        if (
            not isinstance(node, ast.Attribute)
            or alone[node.attr] > 1
            or node.attr not in _METHODS
            or node.attr in code.stored_attributes
        ):
            continue
        cost = _as_a_value(code, node)
        if cost and not any(f.decorator_list for f in code.functions.get(node.attr, ())):
            end = code.end(node)
            yield Slip(f"Call {node.attr}", [code.edit(end, end, "()")], "missing-call", cost)


def _as_a_value(code: Code, node: ast.Attribute) -> float:
    """What it costs that the result is meant; 0 where the method itself may be."""
    holder = code.parent(node)
    if isinstance(holder, ast.Compare):
        is_identity = any(isinstance(o, ast.Is | ast.IsNot) for o in holder.ops)
        return 0 if is_identity else prior("analysis.uncalled-compared")
    if isinstance(holder, ast.BinOp | ast.Starred | ast.Expr):
        return prior("analysis.uncalled-operand")
    if isinstance(holder, ast.For | ast.comprehension):
        return prior("analysis.uncalled-iterated") if holder.iter is node else 0
    if isinstance(holder, ast.Subscript):
        return prior("analysis.uncalled-indexed") if holder.value is node else 0
    if isinstance(holder, ast.Call) and node in holder.args:
        is_taken = dotted(holder.func) in _TAKERS and len(holder.args) == 1
        return prior("analysis.uncalled-argument") if is_taken else 0
    return 0


def quoted_indexes(code: Code) -> Iterator[Slip]:
    """`pair["1"]` beside `pair[0]`."""
    items = [n for n in code.nodes if isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Constant)]
    numbered = {dotted(n.value) for n in items if type(n.slice.value) is int} - {""}  # type: ignore[attr-defined]
    for node in items:
        text = unquoted(node.slice) if isinstance(node.slice, ast.Constant) else None
        if text is not None and dotted(node.value) in numbered:
            edits, cost = [code.replace(node.slice, text)], prior("analysis.quoted-number")
            yield Slip(f"Use the number {text}", edits, "quoted-number", cost)


def never_bound(code: Code, function: Function) -> Iterator[Slip]:
    """`head = text.split(".", 1)` before a use of `rest`, which nothing binds."""
    known = visible(code, function.body[0]).keys()
    names = [n for n in walk_scope(function) if isinstance(n, ast.Name)]
    bound = {n.id for n in names if not isinstance(n.ctx, ast.Load)}
    if any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in code.nodes):
        return
    lost = [
        n for n in names if n.id not in known | bound and n.id not in visible(code, n) and n.id[:2] != "__"
    ]
    given = [n for n in walk_scope(function) if isinstance(n, ast.Assign)]
    for name in lost:
        for assigned in (n for n in given if n.lineno < name.lineno):
            target, value = assigned.targets[0], assigned.value
            if isinstance(target, ast.Name) and isinstance(value, ast.Call | ast.Name | ast.Subscript):
                func = value.func if isinstance(value, ast.Call) else None
                method = func.attr if isinstance(func, ast.Attribute) else ""
                is_several = func is not None and (not method or method in _SEVERAL)
                far = (name.lineno - assigned.lineno) / prior("analysis.lost-target-lines-per-cost")
                far = min(far, prior("analysis.lost-target-lines-most"))
                far += 0 if is_several else prior("analysis.lost-target-of-one-value")
                end = code.end(target)
                edits = [code.edit(end, end, f", {name.id}")]
                title, cost = f"Unpack into {target.id} and {name.id}", prior("analysis.lost-target") + far
                yield Slip(title, edits, "lost-target", cost)


def not_spread(code: Code, function: Function) -> Iterator[Slip]:
    """`call(options)` beside `call(text, **options)`; a list is only spread for the same function."""
    calls = [n for n in walk_scope(function) if isinstance(n, ast.Call)]
    spread = {(dotted(a.value), dotted(c.func)) for c in calls for a in c.args if isinstance(a, ast.Starred)}
    named = {dotted(k.value) for c in calls for k in c.keywords if not k.arg}
    for call in (c for c in calls if c.args and dotted(c.func) not in _BUILT_IN):
        given = call.args[-1]
        name = dotted(given)
        stars = "**" if name in named else "*" if (name, dotted(call.func)) in spread else ""
        if name and stars:
            start = code.start(given)
            edits, cost = [code.edit(start, start, stars)], prior("analysis.missing-star")
            yield Slip("Unpack the argument", edits, "missing-star", cost)


def unlike_its_note(code: Code) -> Iterator[Slip]:
    """`nan: float = "inf"`, or `return ""` in a function that gives bytes."""
    for value, note in _noted(code):
        text = _as_noted(code, value, ast.unparse(note))
        if text is not None:
            edits, cost = [code.replace(value, text)], prior("analysis.unlike-annotation")
            yield Slip(f"Write {text}", edits, "unlike-its-annotation", cost)


def _noted(code: Code) -> Iterator[tuple[ast.Constant, ast.expr]]:
    """Constants with the annotation of what they are given to."""
    for node in code.nodes:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant):
            yield node.value, node.annotation
        elif isinstance(node, Function):
            for arg in parameters(node):
                default = default_of(node, arg.arg)
                if arg.annotation is not None and isinstance(default, ast.Constant):
                    yield default, arg.annotation
            given = [n.value for n in walk_scope(node) if isinstance(n, ast.Return)] if node.returns else []
            yield from ((v, node.returns) for v in given if isinstance(v, ast.Constant) and node.returns)


def _as_noted(code: Code, node: ast.Constant, note: str) -> str | None:
    """A constant as its annotation wants it; None where it is so, or nothing is plain."""
    if note == "bytes" and isinstance(node.value, str):
        return with_prefix(code, node)
    if note == "str" and isinstance(node.value, bytes):
        return without_prefix(code, node)
    if note in {"int", "float"} and isinstance(node.value, str):
        return unquoted(node) or f"{note}({code.segment(node)})"
    return None


def renamed_targets(code: Code) -> Iterator[Slip]:
    """`for _item in rows: add(item)`, where `item` is a function: no name is missing."""
    for node in code.nodes:
        if not isinstance(node, ast.For | ast.AsyncFor):
            continue
        own = code.function(node) or code.tree
        names = [n for n in ast.walk(own) if isinstance(n, ast.Name)]
        bound = {n.id for n in names if isinstance(n.ctx, ast.Store)}
        bound |= {a.arg for a in parameters(own)} if isinstance(own, Function) else set()
        read = {n.id for n in names if isinstance(n.ctx, ast.Load)}
        inside = {n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name)} - bound
        for target in ast.walk(node.target):
            if isinstance(target, ast.Name) and target.id not in read:
                for name in (name for name in sorted(inside) if plain(name) == plain(target.id)):
                    edits, title = [code.replace(target, name)], f"Change {target.id} to {name}"
                    yield Slip(title, edits, "partial-rename", prior("analysis.partial-rename"))


def commas_behind(code: Code) -> Iterator[Slip]:
    """`return size,`: a tuple of one value that nobody put in brackets."""
    for node in code.nodes:
        value = node.value if isinstance(node, ast.Return | ast.Assign | ast.AnnAssign) else None
        if value is not None and code.is_trailing(value):
            function = code.function(node)
            note = function.returns if isinstance(node, ast.Return) and function is not None else None
            is_plain = note is not None and "uple" not in ast.unparse(note)
            # Brackets for the value, and none for the tuple.
            is_plain |= code.segment(value).startswith("(")
            edits = [code.replace(value, without_comma(code, value))]
            title = "Remove the comma, which makes a tuple"
            cost = (
                prior("analysis.accidental-tuple-plain") if is_plain else prior("analysis.accidental-tuple")
            )
            yield Slip(title, edits, "accidental-tuple", cost)


def without_comma(code: Code, node: ast.Tuple) -> str:
    """The value of a tuple that only a comma makes, with its brackets: it may go over lines."""
    return code.segment(node).removesuffix(",").rstrip()


def unlike_other_calls(code: Code) -> Iterator[Slip]:
    """`Merger([], STRATEGIES, [])` where all others are `Merger(STRATEGIES, [], [])`."""
    calls: dict[tuple[str, int], list[ast.Call]] = {}
    for node in code.nodes:
        if isinstance(node, ast.Call) and len(node.args) > 1 and (name := dotted(node.func)):
            calls.setdefault((name, len(node.args)), []).append(node)
    for alike in calls.values():
        for call in alike if len(alike) >= _ALIKE else ():
            others = [other for other in alike if other is not call]
            for number in range(len(call.args)):
                usual = {dotted(other.args[number]) for other in others}
                name = usual.pop() if len(usual) == 1 else ""
                given = [dotted(a) for a in call.args]
                if name and given[number] != name and name in given:
                    one, two = call.args[number], call.args[given.index(name)]
                    edits = [code.replace(one, code.segment(two)), code.replace(two, code.segment(one))]
                    cost = prior("analysis.swapped-arguments")
                    yield Slip("Swap the arguments", edits, "swapped-arguments", cost)


def built_in_items(code: Code) -> Iterator[Slip]:
    """`enumerate[rows]`, which is no error before somebody runs over it."""
    for node in code.nodes:
        name = dotted(node.value) if isinstance(node, ast.Subscript) else ""
        if not isinstance(node, ast.Subscript) or name not in _CALLED or isinstance(node.slice, ast.Slice):
            continue
        holder = code.parent(node)
        is_run_over = isinstance(holder, ast.For | ast.comprehension) and holder.iter is node
        if name not in _NOTED or is_run_over:
            inside = code.text[code.end(node.value) : code.end(node)].strip()[1:-1]
            edits = [code.edit(code.end(node.value), code.end(node), f"({inside})")]
            yield Slip(f"Write {name}(…)", edits, "square-brackets", prior("analysis.square-brackets"))
