"""What calls give to a parameter: the one that led here, or those that ended before."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from gateline.model import Knowledge
from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function, parameters, walk_scope
from gateline.repairs.analysis.modules import workspace_modules
from gateline.repairs.analysis.world import code_at
from gateline.repairs.locate.places import Spot, covering
from gateline.repairs.rules_of_files import is_test

Given = tuple[Spot, ast.expr]
"""An expression that a call gives, and where it stands."""
_INDEXED = frozenset({"__getitem__", "__setitem__", "__delitem__"})
_MOST = 20
"""Calls elsewhere that are looked at: of a name that is used everywhere, any is as likely as the next."""


def given_to(knowledge: Knowledge, spot: Spot, arg: ast.arg) -> Iterator[Given]:
    """The argument in the call that led here, or in others where that one is over; and the default."""
    function = spot.code.parent(spot.code.parent(arg) or arg)
    caller = _caller(knowledge, spot)
    if isinstance(function, ast.Lambda) and caller is not None:
        given = (argument(call, function, arg.arg) for call in caller.candidates(ast.Call))
        yield from ((caller, value) for value in given if value is not None)
    if not isinstance(function, Function):
        return
    if _is_over(spot, caller, function):
        yield from islice(_given_elsewhere(knowledge, spot.code, function, arg.arg), _MOST)
    elif caller is not None:
        yield from _given_by(caller, function, arg)
    if (default := default_of(function, arg.arg)) is not None:
        yield spot, default


def _is_over(spot: Spot, caller: Spot | None, function: Function) -> bool:
    """Whether the call is no part of the run any more: of a constructor, of a generator that runs later."""
    at = None if spot.node is None else spot.code.function(spot.node)
    if at is not None and at is not function:
        return function.name == "__init__"
    if not any(isinstance(n, ast.Yield | ast.YieldFrom) for n in walk_scope(function)):
        return False
    return caller is None or function.name not in map(_last, (c.func for c in caller.candidates(ast.Call)))


def _given_by(caller: Spot, function: Function, arg: ast.arg) -> Iterator[Given]:
    for call in caller.candidates(ast.Call) if not is_test(caller.code.path) else ():
        value = argument(call, function, arg.arg)
        if value is not None:
            yield caller, value
        elif function.args.vararg is arg and dotted(call.func).rpartition(".")[2] == function.name:
            yield from ((caller, one) for one in call.args)
    if function.name.startswith("__") and parameters(function)[1:2] == [arg]:
        # An operator: its right side is the other one.
        yield from ((caller, operation.right) for operation in caller.candidates(ast.BinOp))
        if function.name in _INDEXED:
            yield from ((caller, item.slice) for item in caller.candidates(ast.Subscript))
    if parameters(function)[-1:] == [arg] and not is_test(caller.code.path):
        yield from ((caller, node.value) for node in caller.candidates(ast.Assign) if _sets(node, function))


def _sets(node: ast.Assign, function: Function) -> bool:
    """Whether an assignment to an attribute runs a function: a setter is called like what it sets."""
    return any(
        isinstance(t, ast.Attribute) and (t.attr in function.name or function.name == "__set__")
        for t in node.targets
    )


def _given_elsewhere(knowledge: Knowledge, code: Code, function: Function, name: str) -> Iterator[Given]:
    cls = code.class_of(function)
    kinds = [n for n in code.nodes if isinstance(n, ast.ClassDef) and cls is not None and _is_of(n, cls)]
    wanted = {kind.name for kind in kinds} if function.name == "__init__" else {function.name}
    for path in workspace_modules(knowledge.paths()).values():
        text = knowledge.text(path) or ""
        is_near = any(f"{one}(" in text for one in wanted) and not is_test(path)
        other = code_at(knowledge, path) if is_near else None
        for call in (n for n in other.nodes if isinstance(n, ast.Call)) if other is not None else ():
            value = argument(call, function, name) if _last(call.func) in wanted else None
            if value is not None and other is not None:
                yield Spot(other, call.lineno - 1), value


def _is_of(kind: ast.ClassDef, cls: ast.ClassDef) -> bool:
    return kind is cls or any(dotted(base) == cls.name for base in kind.bases)


def _last(node: ast.expr) -> str:
    return dotted(node).rpartition(".")[2]


def _caller(knowledge: Knowledge, spot: Spot) -> Spot | None:
    """The nearest call of the workspace that led to a spot."""
    for number in range(len(spot.callers) - 1, -1, -1):
        frame = spot.callers[number]
        code = code_at(knowledge, frame.path) if frame.ours else None
        if code is not None:
            node = covering(code, frame.span) if frame.span else None
            return Spot(code, frame.line, node, dict(frame.seen), spot.number + 1, spot.callers[:number])
    return None


def argument(call: ast.Call, function: Function | ast.Lambda, name: str) -> ast.expr | None:
    """The expression that a call gives to a parameter."""
    keyword = next((k.value for k in call.keywords if k.arg == name), None)
    if keyword is not None:
        return keyword
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    if name not in names:
        return None
    number = names.index(name)
    is_bound = isinstance(call.func, ast.Attribute) or _makes(function)
    is_method = not isinstance(function, ast.Lambda) and names[:1] in (["self"], ["cls"])
    if is_method and is_bound and not _names_its_object(call):
        number -= 1
    return call.args[number] if 0 <= number < len(call.args) else None


def _names_its_object(call: ast.Call) -> bool:
    """`Base.__init__(self, value)`: the class is asked, and the object is its first argument."""
    return (
        bool(call.args) and dotted(call.args[0]) in {"self", "cls"} and isinstance(call.func, ast.Attribute)
    )


def _makes(function: Function | ast.Lambda) -> bool:
    """Whether it is run by a call of its class, or of an object: that names no `self`."""
    return getattr(function, "name", "") in {"__init__", "__new__", "__call__", "__post_init__"}


def default_of(function: Function, name: str) -> ast.expr | None:
    """The default of a parameter."""
    args = function.args
    positional = [*args.posonlyargs, *args.args]
    pairs = list(zip(reversed(positional), reversed(args.defaults), strict=False))
    pairs += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d]
    return next((default for arg, default in pairs if arg.arg == name), None)
