"""GTL612 of several words: those that a test sets up together are asked for, and its answer given."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.analysis.modules import Module
from gateline.analysis.trees import constants, is_literal, is_value, unparsed
from gateline.integrity.change_view import Both, on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.input_special_cased import CODE
from gateline.integrity.rules.input_special_cased.hidden_comparisons import is_answer
from gateline.integrity.tests.collection import Test
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_MAKING = frozenset({"set", "frozenset", "list", "tuple", "sorted", "Counter"})
_TRIVIAL = frozenset({"0", "1", "-1", "2", "''"})


@dataclass(frozen=True, slots=True)
class Branch:
    """Words that a function asks for together, in one way or another, and what it answers."""

    node: ast.expr
    words: tuple[frozenset[str], ...]
    answer: frozenset[str]
    function: str


def find(evidence: Evidence) -> Iterator[Finding]:
    """The new branches of functions that worked out what a test expects of such words."""
    prints = lambda hit: (f"{unparsed(hit.node)} {sorted(hit.answer)}",)  # noqa: E731
    hits = list(new_in(evidence.both.product, _branches, prints))
    known = _answers_before(evidence.both) if hits else {}
    tests = [*evidence.both.unchanged_tests, *(old for old, _ in evidence.both.pairs.both)] if hits else []
    for module, hit in hits:
        worked_out = hit.function in known and not hit.answer & known[hit.function]
        if worked_out and any(_expects(test, hit) for test in tests):
            message = "hard-coded result for the exact input words of a test"
            yield at_node(CODE, module, hit.node, message, Weight.FLOOR)


def _answers_before(both: Both) -> dict[str, frozenset[str]]:
    """By function of the base: the literal values in it."""
    bases = (base for base, _ in on_both_sides(both.product))
    return {name.rpartition(".")[2]: constants(node) for m in bases for name, node in m.all_functions.items()}


def _branches(module: Module) -> Iterator[Branch]:
    for node, inside in module.owned:
        match node:
            case ast.If(test=test, body=[ast.Return(value=ast.expr() as answer)] as body) if is_answer(body):
                pass
            case ast.IfExp(test=test, body=answer) if is_value(answer):
                pass
            case _:
                continue
        words = tuple(found for found in _together(test) if len(found) > 1)
        if words and (told := constants(answer) - _TRIVIAL):
            yield Branch(test, words, told, inside)


def _together(test: ast.expr) -> list[frozenset[str]]:
    """The words that must all be there; of several lists that will do, each."""
    match test:
        case ast.BoolOp(op=ast.And(), values=values):
            asked = [_one(value) for value in values]
            return [frozenset().union(*asked)] if all(asked) else []
        case ast.Compare(left=left, ops=[ast.Eq() | ast.LtE() | ast.GtE()], comparators=[right]):
            return [_words(left) or _words(right)]
        case ast.Compare(ops=[ast.In()], comparators=[ast.Tuple() | ast.List() | ast.Set() as several]):
            return [_words(item) for item in several.elts]
        case _:
            return []


def _one(test: ast.expr) -> frozenset[str]:
    match test:
        case ast.Compare(left=ast.Constant(value=str()) as word, ops=[ast.In()]):
            return constants(word)
        case _:
            return frozenset()


def _words(node: ast.expr) -> frozenset[str]:
    """The words of a list or set that is written out."""
    match node:
        case ast.Call(args=[inner]) if last_name(node) in _MAKING:
            return _words(inner)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items) if is_literal(node):
            texts = all(isinstance(item, ast.Constant) and isinstance(item.value, str) for item in items)
            return constants(node) if texts else frozenset()
        case _:
            return frozenset()


def _expects(test: Test, branch: Branch) -> bool:
    """Whether a test has such words, and expects just this of the function."""
    return any(words <= test.given for words in branch.words) and any(
        check.exact
        and check.expected is not None
        and constants(check.expected) == branch.answer
        and branch.function in {last_name(n) for n in ast.walk(check.subject) if isinstance(n, ast.Call)}
        for check in test.checks
    )
