"""GTL611 of one kind of error: it was raised, and now a made-up value is answered in its place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gateline.integrity.evidence import Evidence
from gateline.integrity.finding import at_node
from gateline.integrity.module import Function, Module
from gateline.integrity.text import is_value, last_name, unparsed
from gateline.model.finding import Finding, Weight

CODE = "GTL611"


def find(evidence: Evidence) -> Iterator[Finding]:
    """The handlers that hand an error on no more."""
    if evidence.product.says_so:
        return
    for pair in evidence.both.product:
        if pair.base is None or pair.now is None:
            continue
        before, now = _handlers(pair.base), _handlers(pair.now)
        for place in before.keys() & now.keys():
            answer = _made_up(now[place]) if _raises(before[place]) and not _raises(now[place]) else None
            if answer is not None and not evidence.product.is_told([place[0].rpartition(".")[2]]):
                message = f"an error that was raised is met with `{unparsed(answer)[:60]}`"
                yield at_node(CODE, pair.now, answer, message, Weight.COUNTS)


def _handlers(module: Module) -> Mapping[tuple[str, str], ast.ExceptHandler]:
    """By function and kind of errors; of several the last."""
    return {
        (name, unparsed(node.type) if node.type else ""): node
        for name, function in module.source.scopes
        if isinstance(function, Function)
        for node in ast.walk(function)
        if isinstance(node, ast.ExceptHandler)
    }


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for node in ast.walk(handler))


def _made_up(handler: ast.ExceptHandler) -> ast.AST | None:
    """What is answered that looks like a result: an object of literals, a number; or that nothing is done."""
    if all(isinstance(node, ast.Pass | ast.Continue) for node in handler.body):
        return handler.body[0]
    for node in ast.walk(handler):
        match node:
            case ast.Return(value=ast.Constant(value=int() | float() | str()) as value):
                return None if isinstance(value.value, bool) else value
            case ast.Return(value=ast.Call(args=[_, *_] as given) as value) if last_name(value)[:1].isupper():
                return value if any(map(is_value, given)) else None
    return None
