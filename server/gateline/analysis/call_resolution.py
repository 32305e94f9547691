"""Which calls of a statement really run: not a coroutine that nobody awaits, nor a generator nobody asks."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from gateline.analysis.modules import Function
from gateline.analysis.trees import Known, children, put_in, unparsed
from gateline.model.names import last_name

_AWAITING = frozenset(
    {"gather", "wait_for", "shield", "wait", "timeout", "create_task", "ensure_future", "start_soon"}
)
"""Functions that run the coroutines they are given."""
_RUNNING = frozenset({"run", "run_until_complete", "run_sync", "async_to_sync", "run_coroutine_threadsafe"})
"""Functions that run a coroutine, or what makes one, from outside."""
_TASKS = frozenset({"create_task", "ensure_future"})
_LOOPS = frozenset({"asyncio", "loop", "event_loop", "get_running_loop", "get_event_loop", "new_event_loop"})
_STARTING = frozenset(
    {"submit", "apply_async", "run_in_executor", "call_soon", "call_soon_threadsafe", "call_later", "call_at"}
    | {"run_coroutine_threadsafe", "Thread", "Timer", "Process", "add_done_callback", "map", "filter"}
)
"""Functions that only start something, or will call it some day."""
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
            yield from _awaited(put_in(name, known), known)
        case ast.Await(value=inner) | ast.YieldFrom(value=inner):
            yield from _awaited(inner, known)
        case ast.Call(func=ast.Attribute(value=asked, attr="result" | "get")):
            yield value, False
            started = put_in(asked, known)
            yield from _given_to(started, known, helpers) if isinstance(started, ast.Call) else ()
        case ast.Call():
            yield value, False
            yield from () if is_unheard(value) else _given_to(value, known, helpers)


def is_unheard(call: ast.Call) -> bool:
    """Whether a call starts something that may fail without a word, where nobody asks what came of it."""
    name = last_name(call)
    if name in _TASKS:
        # A group of tasks waits for them, and fails with them.
        return not isinstance(call.func, ast.Attribute) or last_name(call.func.value) in _LOOPS
    return name in _STARTING


def _awaited(inner: ast.expr, known: Known) -> Iterator[tuple[ast.Call, bool]]:
    if isinstance(inner, ast.Call):
        yield inner, True
        if last_name(inner) in _AWAITING | _RUNNING:
            yield from ((argument, True) for argument in _handed(inner, known))


def _handed(call: ast.Call, known: Known) -> Iterator[ast.Call]:
    """What is handed over to be run, one by one, in a list, or as tasks already."""
    for argument in call.args:
        meant = put_in(argument.value if isinstance(argument, ast.Starred) else argument, known)
        for part in _parts(meant):
            if isinstance(part, ast.Call):
                yield from _calls(part) if last_name(part) in _TASKS else [part]


def _parts(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return items
        case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) | ast.SetComp(elt=item):
            return [item]
        case _:
            return [node]


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
    if isinstance(last, ast.Assert):
        inner = last.test
    if isinstance(inner, ast.Await):
        inner = inner.value
    return put_in(inner, known) if inner is not None else ast.Name(unparsed(last), ast.Load())
