"""Functions that ask whether Python takes a text for something: yes, or no because of an error."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gateline.analysis.modules import Module
from gateline.analysis.stdlib import is_pythons_own
from gateline.model.names import dotted

_OF_TEXTS = frozenset(dir(str))
_MAKING = frozenset({"int", "float", "complex"})


def is_question(node: ast.stmt, function: str, module: Module) -> bool:
    """Whether a `try` asks nothing but Python's own library, for a function that answers yes or no."""
    match node:
        case ast.Try(
            body=body, handlers=[ast.ExceptHandler(body=[ast.Return(value=ast.Constant(value=False))])]
        ):
            return _is_yes_or_no(function, module) and _asks_python(body, module)
        case _:
            return False


def _is_yes_or_no(name: str, module: Module) -> bool:
    scopes = (n for n in module.all_functions.values() if n.name == name)
    answers = [n.value for scope in scopes for n in ast.walk(scope) if isinstance(n, ast.Return)]
    values = {value.value if isinstance(value, ast.Constant) else None for value in answers}
    return values == {True, False}


def _asks_python(body: Sequence[ast.stmt], module: Module) -> bool:
    calls = [n.func for statement in body for n in ast.walk(statement) if isinstance(n, ast.Call)]
    own = [func for func in calls if not (isinstance(func, ast.Attribute) and func.attr in _OF_TEXTS)]
    return bool(own) and all(_is_pythons(dotted(func), module) for func in own)


def _is_pythons(name: str, module: Module) -> bool:
    head, _, rest = name.partition(".")
    whole = module.imports.get(head)
    return is_pythons_own(whole) if whole else not rest and head in _MAKING
