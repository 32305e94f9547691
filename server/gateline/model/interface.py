"""What others may use of a module: its public names, and where each is defined."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def offered(tree: ast.Module) -> dict[str, ast.AST]:
    """The public functions, classes, methods and names of a module, by qualified name, with their nodes."""
    found: dict[str, ast.AST] = {}
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        for child in ast.iter_child_nodes(node):
            names = [name for name in _defined(child, prefix) if is_public(name)]
            found = {**{prefix + name: child for name in names}, **found}
            if isinstance(child, ast.ClassDef) and names:
                waiting.append((child, f"{prefix}{child.name}."))
            elif isinstance(child, ast.If | ast.Try | ast.With | ast.ExceptHandler):
                waiting.append((child, prefix))
    return found


def is_public(name: str) -> bool:
    """Whether a name, without those around it, is for others to use."""
    return not name.startswith("_") or name == "__init__"


def _defined(node: ast.AST, prefix: str) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif not prefix:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        yield from (target.id for target in targets if isinstance(target, ast.Name))
