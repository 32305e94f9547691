"""Functions that answer by cases: one more, with the test that came for it, is how they grow."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.analysis.modules import Module
from gateline.analysis.trees import constants, is_value, text_of
from gateline.integrity.change_view import Both, on_both_sides
from gateline.integrity.rules.input_special_cased.hidden_comparisons import is_answer


def subject_of(test: ast.AST) -> str:
    """What a condition compares with a value, as text; "" of any other."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.In() | ast.Is()], comparators=[right]):
            return text_of(left) if is_value(right) else text_of(right) if is_value(left) else ""
        case ast.Call(func=ast.Attribute(value=asked, attr="startswith" | "endswith"), args=[given]):
            return text_of(asked) if is_value(given) else ""
        case _:
            return ""


def by_cases(both: Both) -> frozenset[tuple[str, str]]:
    """The functions of the base that answer values by what something is, each with that."""
    return frozenset(row for base, _ in on_both_sides(both.product) for row in base.listed(_cases))


def _cases(module: Module) -> Iterator[tuple[str, str]]:
    for node, inside in module.owned:
        # Whether there is something at all, `x is None`, is no case of it.
        answers = isinstance(node, ast.If) and is_answer(node.body) and constants(node.test)
        if answers and isinstance(node, ast.If) and (subject := subject_of(node.test)):
            yield inside, subject
