"""Functions and classes that stand where what they make is meant, as the code itself shows."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from gateline.model import Edit
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function
from gateline.repairs.priors import prior


class Uncalled(NamedTuple):
    """A call that was lost, and how unlikely it is that one was meant."""

    name: str
    edit: Edit
    doubt: float


def never_made(code: Code) -> Iterator[Uncalled]:
    """`style = style`: of a class an object was to be made."""
    for node in code.nodes:
        if not isinstance(node, ast.Assign) or len(node.targets) > 1:
            continue
        value = node.value
        if isinstance(value, ast.Name) and dotted(node.targets[0]) == value.id:
            yield _called(code, value, value.id, prior("analysis.uncalled-given-itself"))


def never_called(code: Code) -> Iterator[Uncalled]:
    """`return self.total` where `total` is a method that needs nothing, or is called everywhere else."""
    calls = {n.func: n for n in code.nodes if isinstance(n, ast.Call)}
    called = Counter(dotted(f) for f, call in calls.items() if not call.args and not call.keywords)
    named = [n for n in code.nodes if isinstance(n, ast.Attribute) and dotted(n) and n not in calls]
    alone = Counter(map(dotted, named))
    for other in named:
        if called[dotted(other)] > alone[dotted(other)]:
            yield _called(code, other, other.attr, prior("analysis.uncalled-called-elsewhere"))
    yield from _alone_once(code)
    yield from _own_methods(code)


def in_square_brackets(code: Code) -> Iterator[ast.Subscript]:
    """`self.run[node]` where `run` is a method of the class around."""
    for cls in (node for node in code.nodes if isinstance(node, ast.ClassDef)):
        methods = {n.name for n in cls.body if isinstance(n, Function) and not n.decorator_list}
        for node in ast.walk(cls):
            asked = node.value if isinstance(node, ast.Subscript) else None
            is_own = isinstance(asked, ast.Attribute) and asked.attr in methods and _is_self(asked.value)
            if isinstance(node, ast.Subscript) and is_own and not isinstance(node.slice, ast.Slice):
                yield node


def _alone_once(code: Code) -> Iterator[Uncalled]:
    """A method of the text that is called wherever it is named, but in one place."""
    funcs = {n.func for n in code.nodes if isinstance(n, ast.Call)}
    named = [n for n in code.nodes if isinstance(n, ast.Attribute) and n.attr in code.functions]
    called = Counter(n.attr for n in named if n in funcs)
    alone = Counter(n.attr for n in named if n not in funcs)
    for node in named:
        is_method = not any(f.decorator_list for f in code.functions[node.attr])
        if node not in funcs and alone[node.attr] == 1 and called[node.attr] > 1 and is_method:
            yield _called(code, node, node.attr, prior("analysis.uncalled-once"))


def _own_methods(code: Code) -> Iterator[Uncalled]:
    for cls in (node for node in code.nodes if isinstance(node, ast.ClassDef)):
        methods = {n.name for n in cls.body if isinstance(n, Function) and _needs_nothing(n)}
        for node in ast.walk(cls):
            if not isinstance(node, ast.Attribute) or node.attr not in methods:
                continue
            holder = code.parent(node)
            if _is_self(node.value) and not (isinstance(holder, ast.Call) and holder.func is node):
                is_given = isinstance(holder, ast.Return | ast.Assign)
                doubt = 0 if is_given else prior("analysis.uncalled-own-method")
                yield _called(code, node, node.attr, doubt)


def _called(code: Code, node: ast.expr, name: str, doubt: float) -> Uncalled:
    end = code.end(node)
    return Uncalled(name, code.edit(end, end, "()"), doubt)


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"self", "cls"}


def _needs_nothing(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    args = function.args
    return not function.decorator_list and len(args.args) - len(args.defaults) <= 1 and not args.posonlyargs
