"""What is written beside a place for another name says what belongs there for this one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, walk_scope
from gateline.repairs.analysis.none_tests import none_defaults
from gateline.repairs.priors import prior

_NAME = re.compile(r"[^\W\d]\w*")


def likewise(code: Code, node: ast.expr, other: ast.BoolOp) -> str | None:
    """What stands in for `node`, as in `stop = self.stop or no_stop`: `no_filter` for `self.filter`.

    None where there is no such name in the text.
    """
    text = code.segment(other.values[-1])
    for mine, its in _pairs(code, node, other):
        changed = text.replace(its, mine) if its in text else text
        if changed != text and _is_known(code, changed):
            return changed
    return None


def guarded(code: Code, function: ast.AST, name: str) -> Iterator[tuple[str, float]]:
    """What `name` begins with when it is None, as the tests for others beside it say, with its cost.

    `if rows is None: rows = DEFAULT_ROWS.copy()` speaks for `DEFAULT_NAMES.copy()`.
    """
    for found in none_defaults(walk_scope(function)):
        if found.is_turned or not isinstance(found.target, ast.Name):
            continue
        text = code.segment(found.value)
        pairs = [(way(found.target.id), way(name)) for way in (str, str.upper, str.title)]
        for its, mine in pairs:
            changed = text.replace(its, mine)
            if changed != text and _is_known(code, changed):
                yield changed, 0
        if not any(its in text for its, _ in pairs):
            # Such a default says nothing of the name that it is for.
            yield text, prior("donors.analogy-unnamed")


def made_of(code: Code, node: ast.AST, name: str) -> set[str]:
    """The names that a local is made of, in the function around a node."""
    given = (n for n in walk_scope(code.scope(node)) if isinstance(n, ast.Assign))
    values = [n.value for n in given if any(dotted(t) == name for t in n.targets)]
    return {n.id for value in values for n in ast.walk(value) if isinstance(n, ast.Name)}


def _is_known(code: Code, text: str) -> bool:
    """Whether all names of a text occur in the code."""
    return all(re.search(rf"\b{name}\b", code.text) for name in _NAME.findall(text))


def _pairs(code: Code, node: ast.expr, other: ast.BoolOp) -> Iterator[tuple[str, str]]:
    """What both are called, and what is made of both, where they belong to the same thing."""
    for one, its in ((node, other.values[0]), (_target(code, node), _target(code, other))):
        (owner, mine), (its_owner, its_name) = _named(one), _named(its)
        if mine and its_name and owner == its_owner and mine != its_name:
            yield mine, its_name


def _named(node: ast.expr | None) -> tuple[str, str]:
    """What a name or an attribute is of, and what it is called without underscores."""
    owner, _, last = ("" if node is None else dotted(node)).rpartition(".")
    return owner, last.strip("_")


def _target(code: Code, value: ast.expr) -> ast.expr | None:
    holder = code.parent(value)
    return holder.targets[0] if isinstance(holder, ast.Assign) and len(holder.targets) == 1 else None
