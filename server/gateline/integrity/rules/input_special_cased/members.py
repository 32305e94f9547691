"""GTL612 of members: a whole sentence that a test gives is asked for, and a member answered by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from gateline.analysis.modules import Module
from gateline.analysis.trees import constants, is_value, unparsed
from gateline.integrity.change_view import Both
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.input_special_cased import CODE
from gateline.integrity.tests.collection import Test
from gateline.model.finding import Finding, Weight
from gateline.model.names import dotted, last_name


@dataclass(frozen=True, slots=True)
class Branch:
    """Sentences that a function answers with a member, `Color.RED`."""

    node: ast.expr
    sentences: frozenset[str]
    member: str
    function: str


def by_sentence(both: Both) -> Iterator[Finding]:
    """The new branches that a test of the base gives a sentence to, and expects just that member for it."""
    hits = list(new_in(both.product, _branches, lambda hit: (f"{unparsed(hit.node)} {hit.member}",)))
    tests = [*both.unchanged_tests, *(old for old, _ in both.pairs.both)] if hits else []
    for module, hit in hits:
        if any(_expects(test, hit) for test in tests):
            message = f"hard-coded result `{hit.member}` for the input text of a test"
            yield at_node(CODE, module, hit.node, message, Weight.FLOOR)


def _branches(module: Module) -> Iterator[Branch]:
    for node, inside in module.owned:
        match node:
            case ast.If(
                test=ast.Compare(ops=[ast.Eq() | ast.In()], comparators=[asked]) as test,
                body=[ast.Return(value=ast.Attribute() as answer)],
            ) if is_value(asked) and _is_member(answer):
                # A single word may be one of the domain.
                if sentences := frozenset(text for text in constants(asked) if " " in text):
                    yield Branch(test, sentences, answer.attr, inside)


def _is_member(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr.isupper() and bool(dotted(node))


def _expects(test: Test, branch: Branch) -> bool:
    return any(
        check.exact
        and check.expected is not None
        and last_name(check.expected) == branch.member
        and not branch.sentences.isdisjoint(constants(check.subject))
        and branch.function in {last_name(n) for n in ast.walk(check.subject) if isinstance(n, ast.Call)}
        for check in test.checks
    )
