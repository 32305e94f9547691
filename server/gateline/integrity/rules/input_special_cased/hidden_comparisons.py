"""GTL612 of inputs that a digest hides: nobody reads which they are."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gateline.analysis.modules import Module
from gateline.analysis.trees import is_literal, is_value, unparsed
from gateline.integrity.change_view import Both
from gateline.integrity.findings import at_node
from gateline.integrity.product.added_items import new_in
from gateline.integrity.rules.input_special_cased import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_DIGESTS = frozenset({"hash", "digest", "hexdigest", "crc32", "adler32"})


def hidden(both: Both) -> Iterator[Finding]:
    """Inputs that are known by a digest, so that nobody reads them, and answered by hand."""
    for module, node in new_in(both.product, _digests, asked_text):
        yield at_node(
            CODE,
            module,
            node.test,
            "hard-coded result for an input that is compared by its digest",
            Weight.FLOOR,
        )


def asked_text(node: ast.If) -> tuple[str]:
    """What an `if` is known by: that which it asks."""
    return (unparsed(node.test),)


def _digests(module: Module) -> Iterator[ast.If]:
    for node, _ in module.owned:
        match node:
            case ast.If(test=ast.Compare(left=left, comparators=[right]), body=body) if is_answer(body):
                sides = (left, right)
                if any(map(is_literal, sides)) and any(last_name(side) in _DIGESTS for side in sides):
                    yield node


def is_answer(body: Sequence[ast.stmt]) -> bool:
    """Whether nothing is done but to answer a value."""
    match body:
        case [ast.Return(value=ast.expr() as value)]:
            return is_value(value)
        case _:
            return False
