"""Functions that type checkers pass over, because nothing in them is annotated, and no longer do."""

from __future__ import annotations

from gateline.analysis.modules import Function, Module
from gateline.integrity.change_view import Both


def is_newly_typed(name: str, line: int, module: Module, both: Both) -> bool:
    """Whether a line is in the body of a function that had no annotations, and has some now.

    `name` is the function's qualified name; the annotations themselves may be silenced for their own sake.
    """
    base = next((pair.base for pair in both.files if pair.now is module), None)
    old, new = (side.all_functions.get(name) if side else None for side in (base, module))
    if old is None or new is None or line + 1 < new.body[0].lineno:
        return False
    return not _is_annotated(old) and _is_annotated(new)


def _is_annotated(function: Function) -> bool:
    given = function.args
    arguments = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
    return function.returns is not None or any(a is not None and a.annotation is not None for a in arguments)
