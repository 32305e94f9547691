"""Lines that no test can reach here: for types alone, for other machines and versions, for what cannot be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.analysis.modules import Module
from gateline.analysis.trees import unparsed
from gateline.model.names import last_name

_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_IMPOSSIBLE = frozenset({"RuntimeError", "AssertionError", "NotImplementedError", "SystemError"})
"""Errors that tell of a mistake in the program itself, and not of what it was given."""
PLATFORM = re.compile(
    r"sys\.(platform|version_info|implementation)|os\.name|platform\.(system|python_implementation)"
)


def is_unreached(line: int, module: Module) -> bool:
    """Whether a line (the first is 0) is run nowhere, elsewhere, or only by what must not happen."""
    return any(
        _is_for_others(node, part) or _is_impossible(node, part, line + 1)
        for node, part in _around(line + 1, module)
    )


def is_tried_import(line: int, module: Module) -> bool:
    """Whether a line imports what may not be there, only to see whether it is."""
    parts = ((node, part) for node, part in _around(line + 1, module) if isinstance(node, ast.Try))
    return any(
        part is node.body and _is_of_imports(node) and all(isinstance(n, ast.Import) for n in part)
        for node, part in parts
    )


def _around(number: int, module: Module) -> Iterator[tuple[ast.If | ast.Try, list[ast.stmt]]]:
    """The branches that a line is in, or begins, each with the statement that chooses it."""
    for node, _ in module.owned:
        if isinstance(node, ast.If | ast.Try):
            before = node.lineno
            for part in _parts(node):
                if part and before <= number <= (part[-1].end_lineno or 0):
                    yield node, part
                before = max(before, (part[-1].end_lineno or 0) + 1) if part else before


def _parts(node: ast.If | ast.Try) -> list[list[ast.stmt]]:
    if isinstance(node, ast.If):
        return [node.body, node.orelse]
    return [node.body, *(handler.body for handler in node.handlers), node.orelse]


def _is_for_others(node: ast.If | ast.Try, part: list[ast.stmt]) -> bool:
    """Whether it depends on the machine or the version whether a branch is run at all."""
    if isinstance(node, ast.Try):
        return part is not node.body and _is_of_imports(node)
    is_for_types = part is node.body and last_name(node.test) == "TYPE_CHECKING"
    return is_for_types or PLATFORM.search(unparsed(node.test)) is not None


def _is_of_imports(node: ast.Try) -> bool:
    imports = all(isinstance(n, ast.Import | ast.ImportFrom) for n in node.body)
    caught = [last_name(handler.type) if handler.type else "" for handler in node.handlers]
    return imports and bool(caught) and _IMPORT_ERRORS.issuperset(caught)


def _is_impossible(node: ast.If | ast.Try, part: list[ast.stmt], number: int) -> bool:
    """Whether a branch only raises: where none of all cases holds, or for a mistake of the program."""
    if not isinstance(node, ast.If) or len(part) != 1 or not isinstance(part[0], ast.Raise):
        return False
    is_rest = part is node.orelse and number < part[0].lineno
    return is_rest or (part[0].exc is not None and last_name(part[0].exc) in _IMPOSSIBLE)
