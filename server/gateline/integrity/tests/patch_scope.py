"""Where in a test a patch is in force."""

from __future__ import annotations

import ast

from gateline.analysis.modules import Function


def reach(patch: ast.AST, test: Function) -> ast.With | Function:
    """The `with` that a patch stands in, or all of the test."""
    managed = (node for node in ast.walk(test) if isinstance(node, ast.With))
    return next((n for n in managed if any(item.context_expr is patch for item in n.items)), test)
