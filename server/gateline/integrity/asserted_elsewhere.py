"""GTL603 of what tests share: a function in another file that asserts for them asserts less."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.integrity.both import Both
from gateline.integrity.calls import is_asserting
from gateline.integrity.check import Check
from gateline.integrity.evidence import Evidence
from gateline.integrity.finding import at_node
from gateline.integrity.losses import weakened
from gateline.integrity.module import Function, Module
from gateline.integrity.places import is_collected
from gateline.integrity.tests import Test
from gateline.integrity.text import unparsed
from gateline.model.finding import Finding, Weight

CODE = "GTL603"


def find(evidence: Evidence) -> Iterator[Finding]:
    """The functions beside the tests that said something, and say less."""
    for pair in evidence.both.tests:
        if pair.base is not None and pair.now is not None and not is_collected(pair.path):
            yield from _in_file(pair.base, pair.now, asserting_beside(evidence.both))


def _in_file(base: Module, now: Module, beside: frozenset[str]) -> Iterator[Finding]:
    before, after = _functions(base), _functions(now)
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        if unparsed(old.node) == unparsed(new.node) or (new.said.calls - old.said.calls) & beside:
            # Another function of those beside the tests may assert it from now on.
            continue
        if lost := weakened(old, new):
            message = f"`{name}`, which asserts for tests, no longer asserts {_shown(lost)}"
            yield at_node(CODE, now, new.node, message, Weight.FLOOR)


def functions_in(module: Module) -> Mapping[str, Function]:
    """All functions of a file by qualified name, also those that another one makes and hands out."""
    return {name: node for name, node in module.source.scopes if isinstance(node, Function)}


def asserting_beside(both: Both) -> frozenset[str]:
    """Functions and fixtures in changed files beside the tests that assert something."""
    modules = [pair.now for pair in both.tests if pair.now and not is_collected(pair.path)]
    functions = (node for module in modules for node in functions_in(module).values())
    return frozenset(n.name for n in functions if any(map(is_asserting, ast.walk(n))))


def _functions(module: Module) -> Mapping[str, Test]:
    """The functions, to be walked through as tests are."""
    return {
        name: Test(module, node, (owner,) if (owner := module.classes.get(name.partition(".")[0])) else ())
        for name, node in functions_in(module).items()
    }


def _shown(lost: list[Check]) -> str:
    return ", ".join(dict.fromkeys(f"`{check.text[:60]}`" for check in lost[:2]))
