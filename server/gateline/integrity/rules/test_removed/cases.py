"""GTL601 of parameters: rows are gone from a fixture, a hook or a table by which tests are run."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from gateline.analysis.modules import Module
from gateline.analysis.trees import constants, put_in, text_of
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.file_roles import is_collected
from gateline.integrity.findings import at_node
from gateline.integrity.product.diff import Product
from gateline.integrity.rules.test_removed import CODE
from gateline.integrity.tests.parameters import is_skipped, rows_of
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name


def find(evidence: Evidence) -> Iterator[Finding]:
    """The tables of tests that have fewer rows, though what is gone is about what the product still has."""
    for base, now in on_both_sides(evidence.both.tests):
        yield from _in_file(base, now, evidence.product)


def _in_file(base: Module, now: Module, product: Product) -> Iterator[Finding]:
    before, after = _tables(base), _tables(now)
    for name in before.keys() & after.keys():
        (_, old), (node, new) = before[name], after[name]
        lost = [row for row in _texts(old) - _texts(new) if not _is_about_gone(row, old, product)]
        if len(new) < len(old) and lost:
            message = f"{len(old) - len(new)} of {len(old)} rows of `{name}` removed: {lost[0][:60]}"
            yield at_node(CODE, now, node, message, Weight.FLOOR)


def _tables(module: Module) -> Mapping[str, tuple[ast.AST, list[ast.expr]]]:
    """By name: fixtures with parameters, hooks that give some, and tables for other files."""
    found: dict[str, tuple[ast.AST, list[ast.expr]]] = {}
    for name, function in module.functions.items():
        given = [k.value for d in function.decorator_list for k in _keywords(d) if k.arg == "params"]
        if name == "pytest_generate_tests":
            given = [row for node in ast.walk(function) for row in _given_rows(node)]
        for value in given:
            if (rows := rows_of(put_in(value, module.constants))) is not None:
                found[name] = function, [row for row in rows if not is_skipped(row)]
    if not is_collected(module.source.path):
        for name, value in module.constants.items():
            if (rows := _literal_rows(value)) is not None:
                found[name] = value, rows
    return found


def _keywords(decorator: ast.expr) -> list[ast.keyword]:
    is_fixture = isinstance(decorator, ast.Call) and last_name(decorator) == "fixture"
    return decorator.keywords if is_fixture and isinstance(decorator, ast.Call) else []


def _given_rows(node: ast.AST) -> list[ast.expr]:
    return node.args[1:2] if isinstance(node, ast.Call) and last_name(node) == "parametrize" else []


def _literal_rows(value: ast.expr) -> list[ast.expr] | None:
    if isinstance(value, ast.Dict):
        return [key for key in value.keys if key is not None]
    return rows_of(value) if isinstance(value, ast.List | ast.Tuple) else None


def _texts(rows: list[ast.expr]) -> Counter[str]:
    return Counter(text_of(_plain(row)) for row in rows)


def _plain(row: ast.expr) -> ast.expr:
    """A row without its name and marks."""
    if isinstance(row, ast.Call) and last_name(row) == "param":
        return row.args[0] if len(row.args) == 1 else ast.Tuple(row.args, ast.Load())
    return row


def _is_about_gone(text: str, rows: list[ast.expr], product: Product) -> bool:
    return any(product.lost_word(v) for row in rows if text_of(_plain(row)) == text for v in constants(row))
