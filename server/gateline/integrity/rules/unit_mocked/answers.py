"""GTL606 within one test: a name that it tested stands for a double, or a changed function is replaced."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.purity import function_of, is_new_step
from gateline.integrity.rules.unit_mocked import CODE
from gateline.integrity.tests.collection import Test
from gateline.integrity.tests.doubles import is_stand_in, patches
from gateline.model.finding import Finding, Weight


def find(evidence: Evidence) -> Iterator[Finding]:
    """The tests that were there, and whose unit is replaced by what they say themselves."""
    for old, new in evidence.both.pairs.both:
        if old.print != new.print:
            yield from _shadowed(old, new)
            yield from _replaced(old, new, evidence)


def _shadowed(old: Test, new: Test) -> Iterator[Finding]:
    """What a test called of an import, and makes a stand-in for by itself now."""
    for node in ast.walk(new.node):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_stand_in(value):
                if name in old.module.imports and name in old.said.calls and name in new.said.calls:
                    message = f"`{new.name}` creates a test double for `{name}` and tests the double"
                    yield at_node(CODE, new.module, node, message, Weight.FLOOR)


def _replaced(old: Test, new: Test, evidence: Evidence) -> Iterator[Finding]:
    """A function that this change alters, and that a test which ran it replaces from now on."""
    known = {patch.target for patch in patches(old.node, old.module)}
    for patch in patches(new.node, new.module):
        if patch.target in known:
            continue
        name = patch.target.rpartition(".")[2]
        if is_altered(patch.target, new, evidence):
            message = f"`{new.name}` replaces `{name}`, which this change alters"
            yield at_node(CODE, new.module, patch.node, message, Weight.COUNTS)
        elif is_new_step(patch.target, new, evidence):
            message = f"`{new.name}` replaces `{name}`, a new step of the tested function"
            yield at_node(CODE, new.module, patch.node, message, Weight.COUNTS)


def is_altered(target: str, test: Test, evidence: Evidence) -> bool:
    """Whether the change alters the function of that dotted name."""
    name = target.rpartition(".")[2]
    return name in evidence.product.altered and function_of(target, test, evidence) is not None
