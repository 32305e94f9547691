"""GTL611: whatever goes wrong in a call is passed over."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import is_truth, is_value, names, unparsed
from gateline.analysis.validity_checks import is_question
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.error_swallowed import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_ALL = frozenset({"", "Exception", "BaseException"})
_CLEANING = frozenset(
    {
        "__del__",
        "__exit__",
        "__aexit__",
        "close",
        "aclose",
        "cleanup",
        "shutdown",
        "stop",
        "terminate",
        "dispose",
    }
)
"""Functions that run while something else already went wrong, and must not hide it."""
_EMPTY = frozenset({"0", "0.0", "''", "[]", "()", "{}", "set()", "dict()", "list()"})
_CANCELLING = frozenset({"cancel", "kill", "terminate"})
LOGS = frozenset({"log", "logger", "logging", "getlogger"})


@dataclass(frozen=True, slots=True)
class Swallow:
    """A place where every error is passed over, with the function and the work around it."""

    node: ast.AST
    function: str
    work: str
    answer: str


def find(evidence: Evidence) -> Iterator[Finding]:
    """The handlers that are new and pass over everything."""
    prints = lambda hit: (f"{hit.function} {hit.answer}", f"{hit.work} {hit.answer}")  # noqa: E731
    for module, hit in new_in(evidence.both.files, _swallows, prints):
        message = f"every exception in `{hit.work.splitlines()[0][:60]}` is swallowed"
        yield at_node(CODE, module, hit.node, message, Weight.COUNTS)


def _swallows(module: Module) -> Iterator[Swallow]:
    for node, inside in module.owned:
        if (
            isinstance(node, ast.Call)
            and _gathers_errors(node)
            and not _looks_at_errors(module, inside, node)
        ):
            yield Swallow(node, inside, unparsed(node), "gathered")
        if not isinstance(node, ast.Try | ast.With | ast.AsyncWith):
            continue
        if inside not in _CLEANING and not _only_imports(node.body):
            for place, answer in _silent_places(node):
                if not _is_kept(place, inside, module) and not is_question(node, inside, module):
                    yield Swallow(place, inside, _text(node.body), answer)


def _silent_places(node: ast.Try | ast.With | ast.AsyncWith) -> Iterator[tuple[ast.AST, str]]:
    """The handlers, or context managers, that pass over everything, and what is then answered."""
    if isinstance(node, ast.Try):
        yield from ((handler, _text(handler.body)) for handler in filter(_is_silent, node.handlers))
        yield from ((leaving, "finally") for leaving in map(_leaving, node.finalbody) if leaving is not None)
    else:
        managers = (item.context_expr for item in node.items)
        yield from ((manager, "suppress") for manager in managers if _suppresses_all(manager))


def _gathers_errors(call: ast.Call) -> bool:
    """`gather(…, return_exceptions=True)`: errors are results."""
    return any(k.arg == "return_exceptions" and is_truth(k.value, of=True) for k in call.keywords)


def _looks_at_errors(module: Module, function: str, gathering: ast.Call) -> bool:
    """Whether a function asks which of its results are errors, or ends what gives them.

    What else it keeps loses them unseen.
    """
    nodes = [node for scope in _named(module, {function}) for node in ast.walk(scope)]
    given = frozenset().union(*map(names, gathering.args)) - {"self", "cls"}
    if any(map(_is_error, nodes)) or _cancels(nodes, given):
        return True
    called = {last_name(node) for node in nodes if isinstance(node, ast.Call)} - {function}
    return any(_is_error(node) for scope in _named(module, called) for node in ast.walk(scope))


def _named(module: Module, names: set[str]) -> Iterator[Function]:
    return (node for _, node in module.source.scopes if isinstance(node, Function) and node.name in names)


def _cancels(nodes: Sequence[ast.AST], given: frozenset[str]) -> bool:
    """Whether something that is waited for is cancelled, by itself or each of it in a loop."""
    loops = (n for n in nodes if isinstance(n, ast.For | ast.AsyncFor | ast.comprehension))
    each = frozenset().union(*(names(loop.target) for loop in loops if names(loop.iter) & given))
    calls = (n.func for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute))
    return any(call.attr in _CANCELLING and names(call.value) & (given | each) for call in calls)


def _is_error(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, kind]):
            return any(name.endswith(("Error", "Exception")) for name in names(kind))
        case ast.Call(func=ast.Name(id="type")) | ast.MatchClass():
            return True
        case _:
            return False


def _leaving(node: ast.stmt) -> ast.stmt | None:
    """A `return` in `finally`: whatever was raised is forgotten."""
    return node if isinstance(node, ast.Return) else None


def _takes_all(kind: ast.expr | None) -> bool:
    if kind is None:
        return True
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(last_name(one) in _ALL - {""} for one in kinds)


def _suppresses_all(manager: ast.expr) -> bool:
    if not isinstance(manager, ast.Call) or last_name(manager) != "suppress":
        return False
    return any(last_name(argument) in _ALL - {""} for argument in manager.args)


def _is_silent(handler: ast.ExceptHandler) -> bool:
    """Whether a handler takes every error and hides it: it passes, or answers with a literal."""
    if not _takes_all(handler.type) or any(_hands_over(node, handler.name) for node in handler.body):
        return False
    return all(map(says_nothing, handler.body)) or _makes_up(handler.body)


def _hands_over(node: ast.stmt, error: str | None) -> bool:
    """Whether the error itself is answered, or kept by an object."""
    match node:
        case ast.Return(value=ast.Name(id=name)):
            return name == error
        case ast.Assign(targets=[ast.Attribute()], value=ast.Name(id=name)):
            return name == error
        case _:
            return False


def _is_kept(place: ast.AST, function: str, module: Module) -> bool:
    """Whether the error itself is given a name that the function uses later on."""
    match place:
        case ast.ExceptHandler(
            name=str() as error, body=[*_, ast.Assign(targets=[ast.Name(id=kept)]) as last]
        ):
            nodes = (node for scope in _named(module, {function}) for node in ast.walk(scope))
            used = (n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))
            return isinstance(last.value, ast.Name) and last.value.id == error and kept in used
        case _:
            return False


def _makes_up(body: Sequence[ast.stmt]) -> bool:
    """Whether a value is answered that looks like a result, though the error may be told to a log."""
    match body:
        case [*before, ast.Return(value=ast.Constant(value=int() | float() | str() as value))]:
            told = all(isinstance(node, ast.Expr) for node in before)
            return told and not isinstance(value, bool) and value != ""
        case _:
            return False


def says_nothing(node: ast.stmt) -> bool:
    """Whether a statement of a handler tells nobody: it passes, goes on, or answers nothing."""
    match node:
        case ast.Pass() | ast.Continue() | ast.Break():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Return(value=value):
            return value is None or _is_nothing(value)
        case ast.Assign(value=value):
            return _is_nothing(value)
        case ast.AugAssign(value=value):
            return unparsed(value) in _EMPTY
        case ast.Expr(value=ast.Call() as call):
            return (last_name(call) == "print" and not call.keywords) or _is_whispered(call)
        case _:
            return False


def _is_whispered(call: ast.Call) -> bool:
    """A line in a log that nobody sees by default, or that tells of nothing in particular."""
    if not isinstance(call.func, ast.Attribute) or call.keywords:
        return False
    if last_name(call.func.value).lower().strip("_") not in LOGS:
        return False
    return call.func.attr == "debug" or (call.func.attr == "info" and len(call.args) == 1)


def _is_nothing(value: ast.expr) -> bool:
    match value:
        case ast.Call(args=[], keywords=[]):
            return last_name(value) in ("dict", "list", "set", "tuple", "str")
        case ast.Name() | ast.Attribute():
            return True
        case _:
            return is_value(value)


def _only_imports(body: Sequence[ast.stmt]) -> bool:
    return all(isinstance(node, ast.Import | ast.ImportFrom | ast.Assign) for node in body) and any(
        isinstance(node, ast.Import | ast.ImportFrom) for node in body
    )


def _text(body: Sequence[ast.stmt]) -> str:
    return "\n".join(map(unparsed, body))
