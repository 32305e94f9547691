"""GTL612 of questions: a function worked its answer out, and only looks up the inputs of tests now."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.analysis.trees import constants, is_literal
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.input_special_cased import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name


def find(evidence: Evidence) -> Iterator[Finding]:
    """The functions that know their answers by heart from now on."""
    for base, now in on_both_sides(evidence.both.product):
        for name in base.all_functions.keys() & now.all_functions.keys():
            old, new = base.all_functions[name], now.all_functions[name]
            known = _looked_up(new)
            learnt = known and _looked_up(old) is None and not known & constants(old)
            if not learnt or not known or _is_library(old, base, now):
                continue
            if known <= _given(evidence, name.rpartition(".")[2]):
                yield at_node(
                    CODE, now, new, f"`{name}` is only a lookup table of test inputs", Weight.COUNTS
                )


def _is_library(function: Function, base: Module, now: Module) -> bool:
    """Whether a function only handed on what it was given to a library that the file imports no more."""
    left = base.imports.keys() - now.imports.keys()
    match function.body[-1]:
        case ast.Return(value=ast.expr() as value):
            asks = any(isinstance(n, ast.Name) and n.id in left for n in ast.walk(value))
            return asks and not constants(value)
        case _:
            return False


def _looked_up(function: Function) -> frozenset[str] | None:
    """The values of a function that does nothing but say whether it is given one of them."""
    match without_docstring(function):
        case [ast.Return(value=ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[table]))]:
            several = isinstance(table, ast.Tuple | ast.List | ast.Set) and len(table.elts) > 1
            return constants(table) if several and is_literal(table) else None
        case _:
            return None


def _given(evidence: Evidence, name: str) -> frozenset[str]:
    """The literal values in tests that call a function."""
    return frozenset().union(*(test.given for test in evidence.both.tests_now if _calls(test.node, name)))


def _calls(node: ast.AST, name: str) -> bool:
    return any(isinstance(call, ast.Call) and last_name(call) == name for call in ast.walk(node))
