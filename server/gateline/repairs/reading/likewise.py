"""What is written beside a place for another name says what belongs there for this one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.repairs.reading.code import Code, is_none, walk_scope
from gateline.repairs.reading.kinds import dotted

_NAME = re.compile(r"[^\W\d]\w*")


def likewise(code: Code, node: ast.expr, other: ast.BoolOp) -> str | None:
    """What stands in for `node`, as in `stop = self.stop or no_stop`: `no_filter` for `self.filter`.

    None where there is no such name in the text.
    """
    text = code.segment(other.values[-1])
    for mine, its in _pairs(code, node, other):
        changed = text.replace(its, mine) if its in text else text
        names = _NAME.findall(changed)
        if changed != text and all(re.search(rf"\b{name}\b", code.text) for name in names):
            return changed
    return None


def guarded(code: Code, function: ast.AST, name: str) -> Iterator[str]:
    """What `name` begins with when it is None, as the tests for others beside it say.

    `if rows is None: rows = DEFAULT_ROWS.copy()` speaks for `DEFAULT_NAMES.copy()`.
    """
    for node in walk_scope(function):
        first = node.body[0] if isinstance(node, ast.If) else None
        target = first.targets[0] if isinstance(first, ast.Assign) else None
        test = node.test if isinstance(node, ast.If) else None
        is_default = isinstance(test, ast.Compare) and is_none(test.comparators[0])
        if not isinstance(target, ast.Name) or not isinstance(first, ast.Assign) or not is_default:
            continue
        text = code.segment(first.value)
        pairs = [(way(target.id), way(name)) for way in (str, str.upper, str.title)]
        for its, mine in pairs:
            changed = text.replace(its, mine)
            if changed != text and all(re.search(rf"\b{n}\b", code.text) for n in _NAME.findall(changed)):
                yield changed
        if not any(its in text for its, _ in pairs):
            yield text


def has_default(function: ast.AST, name: str) -> bool:
    """Whether a test for None gives a name another value, the right way round or not."""
    for node in walk_scope(function):
        first = node.body[0] if isinstance(node, ast.If) else None
        test = node.test if isinstance(node, ast.If) else None
        if not isinstance(test, ast.Compare) or not is_none(test.comparators[0]):
            continue
        is_asked = dotted(test.left) == name
        if is_asked and isinstance(first, ast.Assign) and dotted(first.targets[0]) == name:
            return True
    return False


def is_reset(code: Code, value: ast.expr, test: ast.expr) -> bool:
    """`if timer is not None: timer = None`: who sets back what is there means that test."""
    given = code.parent(value)
    asked = {dotted(node) for node in ast.walk(test)} - {""}
    return (
        is_none(value)
        and isinstance(given, ast.Assign)
        and any(dotted(target) in asked for target in given.targets)
    )


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
