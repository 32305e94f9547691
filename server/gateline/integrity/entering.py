"""Which calls of a statement really run: not a coroutine that nobody awaits, nor a generator nobody asks."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from gateline.integrity.module import Function
from gateline.integrity.text import Known, children, last_name, put_in, unparsed

_AWAITING = frozenset(
    {"gather", "wait_for", "shield", "wait", "timeout", "create_task", "ensure_future", "start_soon"}
)
"""Functions that run the coroutines they are given."""
_RUNNING = frozenset({"run", "run_until_complete", "run_sync", "async_to_sync", "run_coroutine_threadsafe"})
"""Functions that run a coroutine, or what makes one, from outside."""
_CONSUMING = frozenset(
    {"list", "tuple", "set", "sorted", "next", "deque", "sum", "max", "min", "dict", "run"}
)
_YIELDING = (ast.Yield, ast.YieldFrom)
_OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def run_calls(
    value: ast.expr, known: Known, helpers: Mapping[str, Function]
) -> Iterator[tuple[ast.Call, bool]]:
    """The calls that a statement makes, each with whether what it gives is awaited or consumed.

    A function of the test itself (`helpers`) that is given to one that is not is taken to be run by it.
    """
    match value:
        case ast.Await(value=ast.Name() as name):
            yield from _awaited(put_in(name, known))
        case ast.Await(value=inner) | ast.YieldFrom(value=inner):
            yield from _awaited(inner)
        case ast.Call():
            yield value, False
            yield from _given_to(value, known, helpers)


def _awaited(inner: ast.expr) -> Iterator[tuple[ast.Call, bool]]:
    if isinstance(inner, ast.Call):
        yield inner, True
        if last_name(inner) in _AWAITING | _RUNNING:
            yield from ((argument, True) for argument in _calls(inner))


def _given_to(
    call: ast.Call, known: Known, helpers: Mapping[str, Function]
) -> Iterator[tuple[ast.Call, bool]]:
    """What is handed to a function that runs it."""
    name = last_name(call)
    if name in _AWAITING | _RUNNING | _CONSUMING:
        yield from ((argument, True) for argument in _calls(call))
    match call.args:
        case [ast.Name() as function, *rest] if name in _RUNNING or (
            function.id in helpers and name not in helpers
        ):
            meant = put_in(function, known)
            yield (
                (meant, True) if isinstance(meant, ast.Call) else (ast.Call(function, list(rest), []), True)
            )


def _calls(call: ast.Call) -> Iterator[ast.Call]:
    return (argument for argument in call.args if isinstance(argument, ast.Call))


def chained(value: ast.expr) -> Iterator[ast.Call]:
    """The calls of whose answers methods are called: `f(x)` and `f(x).has(1)` in `f(x).has(1).costs(2)`."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Call() as inner)):
            yield from chained(inner)
            yield inner


def is_own(call: ast.Call) -> bool:
    """Whether what is called has the `self` of the caller: it is no method of another object."""
    return not isinstance(call.func, ast.Attribute) or last_name(call.func.value) in ("self", "cls")


def must_be_run(function: Function) -> bool:
    """Whether calling a function alone does nothing yet: it is a coroutine or a generator."""
    if isinstance(function, ast.AsyncFunctionDef):
        return True
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _YIELDING):
            return True
        if not isinstance(node, _OWN_SCOPE):
            waiting += children(node)
    return False


def act_of(body: Sequence[ast.stmt], known: Known) -> ast.expr:
    """What a block does last, with known names put in."""
    last = body[-1]
    inner = last.value if isinstance(last, ast.Expr | ast.Assign) else None
    if isinstance(inner, ast.Await):
        inner = inner.value
    return put_in(inner, known) if inner is not None else ast.Name(unparsed(last), ast.Load())
