"""GTL612 of errors: an input that a test has refused is recognised, and nothing of it is looked at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gateline.analysis.modules import Module
from gateline.analysis.trees import constants, is_literal
from gateline.integrity.change_view import Both
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.input_special_cased import CODE
from gateline.integrity.rules.input_special_cased.literals import asked_for, telling
from gateline.model.finding import Finding, Weight

_MOST_OF = 0.8
"""The share of a table that tests give, from which on it is made for them."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Values that are asked for, and met with an error."""

    node: ast.AST
    asked: frozenset[str]
    function: str


def find(evidence: Evidence) -> Iterator[Finding]:
    """The branches that are new and refuse just what tests of the base have refused."""
    both, product = evidence.both, evidence.product
    prints = lambda hit: (f"{sorted(hit.asked)} {hit.function}", f"{sorted(hit.asked)}")  # noqa: E731
    hits = [row for row in new_in(both.product, _refusals, prints) if telling(row[1].asked)]
    refused = _refused(both) if hits else frozenset()
    for module, hit in hits:
        given = frozenset(value for value in hit.asked if _bare(value) in refused)
        if len(given) >= _MOST_OF * len(hit.asked) and telling(given) & product.new_constants:
            shown = ", ".join(sorted(given))
            message = f"hard-coded refusal of the literal input {shown[:60]} that a test uses"
            yield at_node(CODE, module, hit.node, message, Weight.FLOOR)


def _refused(both: Both) -> frozenset[str]:
    """The literal values that tests of the base give to what is to raise an error."""
    tests = [*both.unchanged_tests, *(old for old, _ in both.pairs.both), *both.pairs.gone]
    checks = (check for test in tests for check in test.checks if check.relation == "raises")
    given = frozenset().union(*(constants(check.subject) for check in checks))
    lines = {line for value in given for line in value.strip("'\"").split("\\n")}
    return frozenset(map(_bare, given | lines))


def _bare(value: str) -> str:
    """A text without what a function may take from it before it looks: case, spaces, signs."""
    return re.sub(r"[\W_]+", "", value).casefold() or value


def _refusals(module: Module) -> Iterator[Refusal]:
    for node, inside in module.owned:
        match node:
            case ast.If(test=test, body=body) if _raises(body):
                if asked := asked_for(test) or _kept(test, module.derived(_collections)):
                    yield Refusal(test, asked, inside)
            case ast.Match(cases=cases):
                for case in cases:
                    values = (n for n in ast.walk(case.pattern) if isinstance(n, ast.MatchValue))
                    if (asked := frozenset().union(*map(constants, values))) and _raises(case.body):
                        yield Refusal(case.pattern, asked, inside)


def _raises(body: Sequence[ast.stmt]) -> bool:
    return isinstance(body[-1], ast.Raise)


def _kept(test: ast.expr, known: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What a collection holds in which something is looked for."""
    match test:
        case ast.Compare(ops=[ast.In()], comparators=[ast.Name(id=name)]):
            return known.get(name, frozenset())
        case ast.BoolOp(op=ast.And(), values=values):
            return frozenset().union(*(_kept(value, known) for value in values))
        case _:
            return frozenset()


def _collections(module: Module) -> Mapping[str, frozenset[str]]:
    """By name: the literals in a collection of a file, of a table its keys."""
    found: dict[str, frozenset[str]] = {}
    for node, _ in module.owned:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                found[name] = _held(value)
    return found


def _held(value: ast.expr) -> frozenset[str]:
    match value:
        case ast.Call(args=[inner]):
            return _held(inner)
        case ast.Dict(keys=keys):
            return frozenset().union(*(constants(key) for key in keys if key is not None and is_literal(key)))
        case ast.Set() | ast.List() | ast.Tuple() if is_literal(value):
            return constants(value)
        case _:
            return frozenset()
