"""GTL613 of doubles: the product asks whether it is given a class that only the tests write."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gateline.analysis.modules import Module
from gateline.analysis.trees import constants, names, unparsed
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.test_detected import CODE
from gateline.model.finding import Finding, Weight

_NAMING = frozenset({"__name__", "__qualname__"})


def find(evidence: Evidence) -> Iterator[Finding]:
    """The new comparisons of a class's name with that of one in the tests, which the product has none of."""
    hits = list(new_in(evidence.both.product, _named, lambda node: (unparsed(node),)))
    written = {name for test in evidence.both.tests_now for name in test.module.classes} if hits else set()
    known = {name for pair in evidence.both.product if pair.now for name in pair.now.classes}
    for module, node in hits:
        asked = {value.strip("'") for value in constants(node)} & (written - known)
        if asked:
            message = f"product code checks for `{min(asked)}`, a class of the tests"
            yield at_node(CODE, module, node, message, Weight.FLOOR)


def _named(module: Module) -> Iterator[ast.Compare]:
    for node, _ in module.owned:
        if isinstance(node, ast.Compare) and _NAMING & names(node):
            yield node
