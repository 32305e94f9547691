"""GTL604: a function by which tests compare says yes more often than it did."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.analysis.trees import is_truth, unparsed
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.assertion_loosened import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name


def find(evidence: Evidence) -> Iterator[Finding]:
    """The functions that tests assert, and that let more pass."""
    weaker = [
        (now, name, new)
        for base, now in on_both_sides(evidence.both.tests)
        for name, old, new in _kept(base, now)
        if is_weaker(old, new)
    ]
    # Who asserts it is asked last: all tests must be looked at for that.
    asserted = _asserted(evidence) if weaker else set()
    for module, name, new in weaker:
        if name in asserted:
            message = f"`{name}`, which tests compare with, now accepts more: `{unparsed(new)[:60]}`"
            yield at_node(CODE, module, new, message, Weight.FLOOR)


def _kept(base: Module, now: Module) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """The functions of both sides that answer with one expression, and what they answer."""
    for name in base.functions.keys() & now.functions.keys():
        old, new = _answer(base.functions[name]), _answer(now.functions[name])
        if old is not None and new is not None and not name.startswith("test"):
            yield name, old, new


def _answer(function: Function) -> ast.expr | None:
    match without_docstring(function):
        case [ast.Return(value=ast.expr() as value)]:
            return value
        case _:
            return None


def _asserted(evidence: Evidence) -> set[str]:
    """The names of what tests assert, by an `assert` or by a method of unittest."""
    found: set[str] = set()
    for test in evidence.both.tests_kept:
        for node in ast.walk(test.node):
            match node:
                case ast.Assert(test=asked):
                    found |= {last_name(n) for n in ast.walk(asked) if isinstance(n, ast.Call)}
                case ast.Call(args=[ast.Call() as asked, *_]) if last_name(node) == "assertTrue":
                    found.add(last_name(asked))
    return found


def is_weaker(old: ast.expr, new: ast.expr) -> bool:
    """Whether what is answered now is true wherever it was, and elsewhere, as can be seen from its form."""
    if is_truth(new, of=True):
        return not is_truth(old, of=True)
    mine, others = _parts(old), _parts(new)
    if isinstance(new, ast.BoolOp) and isinstance(new.op, ast.Or):
        return unparsed(old) in others or (len(mine) > 1 and mine & others != set())
    if others < mine:
        return True
    return any(map(_says_nothing, ast.walk(new))) and not any(map(_says_nothing, ast.walk(old)))


def _parts(node: ast.expr) -> set[str]:
    """What must all hold, or one of what may."""
    return {unparsed(value) for value in node.values} if isinstance(node, ast.BoolOp) else {unparsed(node)}


def _says_nothing(node: ast.AST) -> bool:
    """A thing that is compared with itself."""
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            return unparsed(left) == unparsed(right)
        case _:
            return False
