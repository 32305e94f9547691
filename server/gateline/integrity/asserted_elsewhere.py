"""GTL603 of what tests share: a function in another file that asserts for them asserts less."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gateline.integrity.both import Pair
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
            yield from _in_file(pair, pair.base, pair.now)


def _in_file(pair: Pair, base: Module, now: Module) -> Iterator[Finding]:
    before, after = _functions(base), _functions(now)
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        if unparsed(old.node) != unparsed(new.node) and (lost := weakened(old, new)):
            message = f"`{name}`, which asserts for tests, no longer asserts {_shown(lost)}"
            yield at_node(CODE, now, new.node, message, Weight.FLOOR)


def _functions(module: Module) -> Mapping[str, Test]:
    """All functions and methods of a file, to be walked through as tests are."""
    found = {name: Test(module, node) for name, node in module.functions.items()}
    for owner in module.classes.values():
        for node in owner.body:
            if isinstance(node, Function):
                found[f"{owner.name}.{node.name}"] = Test(module, node, (owner,))
    return found


def _shown(lost: list[Check]) -> str:
    return ", ".join(dict.fromkeys(f"`{check.text[:60]}`" for check in lost[:2]))
