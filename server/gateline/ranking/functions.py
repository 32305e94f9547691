"""Functions that candidates change, and can be called by themselves."""

from __future__ import annotations

import ast

_MOST_PARAMETERS = 8


def changed_functions(before: str | None, after: str) -> frozenset[str]:
    """The names of functions of a module that have another meaning than before, or are new.

    Methods, coroutines, generators and nested functions are left out: a call needs more than values there.
    """
    old, new = _functions(before or ""), _functions(after)
    return frozenset(name for name, dumped in new.items() if old.get(name) != dumped)


def _functions(text: str) -> dict[str, str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}
    found = (node for node in tree.body if isinstance(node, ast.FunctionDef) and _is_callable(node))
    return {node.name: ast.dump(node) for node in found}


def _is_callable(node: ast.FunctionDef) -> bool:
    taken = node.args
    count = len(taken.posonlyargs) + len(taken.args) + len(taken.kwonlyargs)
    if node.decorator_list or not 0 < count <= _MOST_PARAMETERS or taken.vararg or taken.kwarg:
        return False
    return not any(isinstance(one, ast.Yield | ast.YieldFrom) for one in ast.walk(node))
