"""Texts of several lines that a test gives, as programs are, and that were edited here and there."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import deepcopy
from difflib import SequenceMatcher
from typing import TypeGuard

from gateline.analysis.trees import text_of
from gateline.integrity.strength.implication import is_as_strict
from gateline.integrity.tests.check import Check

_KEPT = 0.7
"""The share of a text's lines that must be there as before."""


def is_asked_of_edited_text(own: Sequence[Check], check: Check) -> bool:
    """Whether the same is asked, and expected, of a call that was only given an edited text."""
    given = _texts(check.subject)
    if not given:
        return False
    asked = _without_texts(check.subject)
    return any(
        other.relation == check.relation
        and other.expectation == check.expectation
        and is_as_strict(other, check)
        and _without_texts(other.subject) == asked
        and all(_is_edited(old, new) for old, new in zip(given, _texts(other.subject), strict=True))
        for other in own
    )


def _texts(node: ast.AST) -> list[str]:
    values = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return [value for value in values if _is_text(value)]


def _is_text(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and value.strip().count("\n") > 1


class _Blank(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant("\n\n") if _is_text(node.value) else node


def _without_texts(node: ast.expr) -> str:
    return text_of(_Blank().visit(deepcopy(node)))


def _is_edited(old: str, new: str) -> bool:
    return SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False).ratio() >= _KEPT
