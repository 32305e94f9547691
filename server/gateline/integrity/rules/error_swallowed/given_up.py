"""GTL611 of functions that raised: they take any error from now on, and raise none any more."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import walk
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.error_swallowed import CODE
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_ALL = frozenset({"Exception", "BaseException"})


def find(evidence: Evidence) -> Iterator[Finding]:
    """The functions whose handlers handed errors on, and now keep them all, which nothing tells of."""
    for base, now in on_both_sides(evidence.both.product):
        raising = base.derived(_raising)
        for name in sorted(raising.keys() & now.all_functions.keys()):
            new = now.all_functions[name]
            place = _keeping(raising[name], new)
            told = (now.source.path, name) in evidence.product.redescribed
            if place is not None and not told and not evidence.product.is_told([new.name]):
                message = f"`{name}` let its exceptions propagate; it now catches all of them"
                yield at_node(CODE, now, place, message, Weight.COUNTS)


def _raising(module: Module) -> Mapping[str, list[ast.ExceptHandler]]:
    """The handlers of the functions where one of them raises: most functions have none."""
    caught = {name: _handlers(node) for name, node in module.all_functions.items()}
    return {name: handlers for name, handlers in caught.items() if any(map(_raises, handlers))}


def _keeping(before: list[ast.ExceptHandler], new: Function) -> ast.ExceptHandler | None:
    """The handler of now that takes all, where those of the base raised and took less."""
    if any(map(_takes_all, before)) or _raises(new):
        return None
    return next((handler for handler in _handlers(new) if _takes_all(handler)), None)


def _handlers(function: Function) -> list[ast.ExceptHandler]:
    return [node for node in walk(function) if isinstance(node, ast.ExceptHandler)]


def _raises(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Raise) for inner in walk(node))


def _takes_all(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or last_name(kind) in _ALL for kind in kinds)
