"""Lines that say themselves that they are never executed, or not by tests.

They are left out of what can be executed, unless the project has a list of its own of what coverage leaves
out: `docs/codes/GTL211.md` says which they are. Lines are counted from 1.
"""

from __future__ import annotations

import ast
from typing import Any, Iterator

_OVERLOADS = frozenset({"overload"})
_ABSTRACT = frozenset({"abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"})
_NEVER = frozenset({"Never", "NoReturn"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Pass)


def lines_by_design(tree: ast.AST) -> set[int]:
    """Where such statements begin. Of a clause that is left out whole, the line with its colon."""
    own = _own_functions(tree)
    found: set[int] = set()
    # Not recursive: thousands of `elif` nest as deeply as they are many.
    waiting: list[tuple[ast.AST, bool]] = [(tree, False)]
    while waiting:
        node, in_protocol = waiting.pop()
        found.update(_lines(node, in_protocol, own))
        inside = isinstance(node, ast.ClassDef) and any(_name(base) == "Protocol" for base in node.bases)
        waiting.extend((child, inside) for child in _statements(node))
    return found


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """The statements and clauses below a node; expressions hold none."""
    return (child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr))


def _lines(node: Any, in_protocol: bool, own: dict[str, bool]) -> Iterator[int]:
    if isinstance(node, _FUNCTIONS):
        yield from _of_function(node, in_protocol)
    elif isinstance(node, ast.If):
        if _is_type_checking(node.test) or _is_main(node.test):
            yield node.lineno
        yield from _of_clause(node.orelse, own)
    elif type(node).__name__ == "match_case":
        lines = list(_of_clause(node.body, own))
        yield from lines
        # Nothing else is done in this clause, so that it is not entered either.
        if lines and lines[0] == node.body[0].lineno and node.guard is None and _is_wildcard(node.pattern):
            yield node.pattern.lineno
    elif _is_assert_never(node, own):
        yield node.lineno


def _of_function(node: Any, in_protocol: bool) -> Iterator[int]:
    names = {_name(decorator) for decorator in node.decorator_list}
    body = node.body[1:] if _is_docstring(node.body[0]) else node.body
    is_stub = len(body) == 1 and _is_stub(body[0], in_protocol or bool(names & _ABSTRACT))
    if is_stub or names & _OVERLOADS:
        yield from (statement.lineno for statement in body)


def _of_clause(body: list[Any], own: dict[str, bool]) -> Iterator[int]:
    """What is prepared for an `assert_never` at the end of an `else` or `case` is not executed either."""
    if body and _is_assert_never(body[-1], own) and all(isinstance(one, _SIMPLE) for one in body[:-1]):
        yield from (statement.lineno for statement in body)


def _is_stub(statement: ast.stmt, is_abstract: bool) -> bool:
    """Whether a body says that it is none: `...`; and of what others must write, also other ways of it."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return statement.value.value is Ellipsis
    if isinstance(statement, ast.Raise) and statement.exc is not None:
        return is_abstract and _name(statement.exc) == "NotImplementedError"
    return is_abstract and isinstance(statement, ast.Pass)


def _is_docstring(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _is_assert_never(statement: Any, own: dict[str, bool]) -> bool:
    value = getattr(statement, "value", None) if isinstance(statement, (ast.Expr, ast.Return)) else None
    if not isinstance(value, ast.Call) or _name(value) != "assert_never":
        return False
    if isinstance(value.func, ast.Name):
        return own.get("assert_never", True)
    return isinstance(value.func, ast.Attribute) and _name(value.func.value) not in ("self", "cls")


def _own_functions(tree: Any) -> dict[str, bool]:
    """The functions that a module defines itself, and whether each says that it never returns."""
    functions = (node for node in tree.body if isinstance(node, _FUNCTIONS))
    return {node.name: _name(node.returns) in _NEVER for node in functions}


def _is_type_checking(test: ast.expr) -> bool:
    return isinstance(test, (ast.Name, ast.Attribute)) and _name(test) == "TYPE_CHECKING"


def _is_main(test: ast.expr) -> bool:
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return False
    sides = (test.left, test.comparators[0])
    values = {side.value for side in sides if isinstance(side, ast.Constant)}
    return values == {"__main__"} and any(_name(side) == "__name__" for side in sides)


def _is_wildcard(pattern: Any) -> bool:
    return type(pattern).__name__ == "MatchAs" and pattern.pattern is None


def _name(node: Any) -> str:
    """The last name of what is called, subscripted or looked up; empty of anything else."""
    while isinstance(node, (ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
