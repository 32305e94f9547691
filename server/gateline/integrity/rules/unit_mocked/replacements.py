"""GTL606 of steps: a test that was there replaces what works something out on the way to what it expects.

It may do so itself, in a decorator, in a fixture, or in whatever it enters. What gets out, to a file or a
clock, is replaced for good reasons; a function that only computes is a part of what is tested.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import names
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.purity import computes
from gateline.integrity.rules.unit_mocked import CODE
from gateline.integrity.rules.unit_mocked.answers import is_altered
from gateline.integrity.rules.unit_mocked.patches import is_automatic
from gateline.integrity.tests.check import EXACT
from gateline.integrity.tests.collection import Test, set_up
from gateline.integrity.tests.doubles import Patch, patches
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_Functions = Mapping[str, tuple[Function, Module]]
"""By name: the functions that tests may enter or be given, with their files."""


def find(evidence: Evidence) -> Iterator[Finding]:
    """The steps that are replaced from now on in tests which expect what they did."""
    both = evidence.both
    before, now = ([side for pair in both.tests if (side := getattr(pair, name))] for name in ("base", "now"))
    if not _targets(now) - _targets(before):
        return
    around = [test.module for test in both.unchanged_tests]
    shared = _functions([*around, *before]), _functions([*around, *now])
    told: set[str] = set()
    for old, new in [*both.pairs.both, *((test, test) for test in both.unchanged_tests)]:
        for module, patch in _come(old, new, shared) if _expects_the_same(old, new) else ():
            if patch.target in told or _is_told(patch, new, evidence):
                continue
            if computes(patch.target, new, evidence) or is_altered(patch.target, new, evidence):
                told.add(patch.target)
                name = patch.target.rpartition(".")[2]
                message = f"`{name}`, which `{new.name}` tests indirectly, is now replaced"
                yield at_node(CODE, module, patch.node, message, Weight.COUNTS)


def _targets(modules: Sequence[Module]) -> set[str]:
    return {patch.target for module in modules for patch in module.listed(_all_patches)}


def _all_patches(module: Module) -> Iterator[Patch]:
    return (patch for statement in module.body for patch in patches(statement, module))


def _functions(modules: Sequence[Module]) -> _Functions:
    found = ((name, node, m) for m in modules for name, node in m.functions.items())
    return {name: (node, m) for name, node, m in found if not name.startswith("test")}


def _expects_the_same(old: Test, new: Test) -> bool:
    """Whether something that a test expected to the letter is expected still, and nothing beside it."""
    texts = ({c.expectation or c.text for c in test.checks if c.strength == EXACT} for test in (old, new))
    return len(new.checks) <= len(old.checks) and bool(set.intersection(*texts))


def _come(old: Test, new: Test, shared: tuple[_Functions, _Functions]) -> Iterator[tuple[Module, Patch]]:
    known = {patch.target for _, patch in _around(old, shared[0])}
    return ((module, patch) for module, patch in _around(new, shared[1]) if patch.target not in known)


def _is_told(patch: Patch, test: Test, evidence: Evidence) -> bool:
    """Whether another rule tells of it: a test calls what it replaces itself, or replaces what is altered."""
    own = any(patch.node is other.node for other in patches(test.node, test.module))
    called = patch.target.rpartition(".")[2] in test.said.calls
    return own and (called or is_altered(patch.target, test, evidence))


def _around(test: Test, shared: _Functions) -> Iterator[tuple[Module, Patch]]:
    """What is replaced while a test runs, by itself and by what it enters or is given."""
    own = {name: (node, test.module) for name, node in test.module.functions.items()}
    functions = {**shared, **own}
    waiting = [(test.node, test.module), *(made for made in functions.values() if is_automatic(made[0]))]
    seen = {node.name for node, _ in waiting}
    for node in (node for owner in test.classes for node in set_up(owner)):
        yield from ((test.module, patch) for patch in patches(node, test.module))
    for owner in test.classes:
        yield from ((test.module, patch) for d in owner.decorator_list for patch in patches(d, test.module))
    while waiting:
        node, module = waiting.pop()
        yield from ((module, patch) for patch in patches(node, module))
        for name in (_reached(node) & functions.keys()) - seen:
            seen.add(name)
            waiting.append(functions[name])


def _reached(node: Function) -> frozenset[str]:
    """The names of what a function calls, is given, or is wrapped in."""
    marks = (d for d in node.decorator_list if last_name(d) == "usefixtures")
    asked = {n.value for mark in marks for n in ast.walk(mark) if isinstance(n, ast.Constant)}
    given = {a.arg for a in (*node.args.args, *node.args.kwonlyargs)}
    return names(node) | given | {name for name in asked if isinstance(name, str)}
