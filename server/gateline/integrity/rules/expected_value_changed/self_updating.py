"""GTL605 of what compares with golden files: it writes them by itself, where it was asked to before."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.analysis.modules import Module
from gateline.analysis.trees import unparsed
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.expected_value_changed import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_WRITING = frozenset({"write_text", "write_bytes"})
_ASKED = ("getoption", "environ", "getenv", "update", "regen", "rewrite", "record", "accept")
"""By what somebody asks that files are written anew."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The functions that wrote what they compare with only when asked, and now do so without."""
    for base, now in on_both_sides(evidence.both.tests):
        before = _unasked(base)
        for name, calls in _unasked(now).items():
            inner = any(other.startswith(f"{name}.") for other in before)
            if calls and not inner and name in before and not before[name]:
                message = f"`{name}` writes its own expected value, so it cannot fail"
                yield at_node(CODE, now, calls[0], message, Weight.FLOOR)


def _unasked(module: Module) -> Mapping[str, list[ast.Call]]:
    """By name of a function that asserts and writes: where it writes although nobody asked."""
    found: dict[str, list[ast.Call]] = {}
    for name, node in module.source.scopes:
        writes = any(isinstance(n, ast.Call) and last_name(n) in _WRITING for n in ast.walk(node))
        if writes and any(isinstance(n, ast.Assert) for n in ast.walk(node)):
            found[name] = list(_writes(node))
    return found


def _writes(node: ast.AST) -> Iterator[ast.Call]:
    if isinstance(node, ast.Call) and last_name(node) in _WRITING:
        yield node
    asked = isinstance(node, ast.If) and _is_asked(node.test)
    inner = node.orelse if asked and isinstance(node, ast.If) else ast.iter_child_nodes(node)
    for child in inner:
        yield from _writes(child)


def _is_asked(condition: ast.expr) -> bool:
    """Whether a condition holds only where somebody asked: every part of an `or` does."""
    if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.Or):
        return all(map(_is_asked, condition.values))
    return any(word in unparsed(condition).lower() for word in _ASKED)
