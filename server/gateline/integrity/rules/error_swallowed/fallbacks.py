"""GTL611 of one kind of error: it was raised, and now a made-up value is answered in its place."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import children, constants, is_value, unparsed
from gateline.integrity.change_view import on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.error_swallowed import CODE
from gateline.integrity.rules.error_swallowed.handlers import LOGS
from gateline.integrity.rules.error_swallowed.passed_over import is_tested_anew
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name


def find(evidence: Evidence) -> Iterator[Finding]:
    """The handlers that hand an error on no more."""
    product = evidence.product
    for base, now in on_both_sides(evidence.both.product):
        before, after = base.derived(_catching), now.all_functions
        for name in before.keys() & after.keys():
            last = name.rpartition(".")[2]
            if (now.source.path, name) in product.redescribed or product.is_told([last]):
                continue
            if _answers_otherwise(before[name], after[name]) or is_tested_anew(last, evidence.both):
                continue
            for answer in _answered(before[name], after[name]):
                kept = isinstance(answer, ast.ExceptHandler)
                how = "no longer raised" if kept else f"replaced by `{unparsed(answer)[:60]}`"
                message = f"an exception that the base raised is {how}"
                yield at_node(CODE, now, answer, message, Weight.COUNTS)


def _catching(module: Module) -> dict[str, Function]:
    """The functions that catch errors and raise: most do not, and what they answer is no made-up value."""
    return {name: node for name, node in module.all_functions.items() if any(map(_raises, _handlers(node)))}


def _answers_otherwise(old: Function, new: Function) -> bool:
    """Whether a function says of what it answers that it is something else now."""
    before, now = (unparsed(node.returns) if node.returns else "" for node in (old, new))
    return before != now


def _answered(old: Function, new: Function) -> Iterator[ast.AST]:
    """What a function makes up now where it raised."""
    fewer = _errors(_own(old)) - _errors(_own(new))
    for before, now in _paired(_handlers(old), _handlers(new)):
        answer = None
        if _raises(before) and not _raises(now):
            answer = _made_up(now) or _without_raise(before, now)
        # As many of its errors may be raised at another place: behind the loop.
        if answer is not None and fewer.keys() & _errors(_own(before)).keys():
            yield answer


def _paired(
    before: list[ast.ExceptHandler], now: list[ast.ExceptHandler]
) -> Iterator[tuple[ast.ExceptHandler, ast.ExceptHandler]]:
    """The handlers of one kind of errors that are not as they were, in order."""
    same = Counter(map(unparsed, before)) & Counter(map(unparsed, now))
    left = [[n for n in side if not same[unparsed(n)]] for side in (before, now)]
    for kind in dict.fromkeys(map(_kind, left[0])):
        yield from zip(*([n for n in side if _kind(n) == kind] for side in left), strict=False)


def _kind(handler: ast.ExceptHandler) -> str:
    return unparsed(handler.type) if handler.type else ""


def _handlers(function: Function) -> list[ast.ExceptHandler]:
    return [node for node in _own(function) if isinstance(node, ast.ExceptHandler)]


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function or handler, in order, without functions inside."""
    for inner in children(node):
        yield inner
        if not isinstance(inner, Function | ast.Lambda | ast.ClassDef):
            yield from _own(inner)


def _errors(nodes: Iterator[ast.AST]) -> Counter[str]:
    """The errors that are raised, by name; "" is the one that was caught."""
    return Counter(last_name(n.exc) if n.exc else "" for n in nodes if isinstance(n, ast.Raise))


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for node in ast.walk(handler))


def _without_raise(before: ast.ExceptHandler, now: ast.ExceptHandler) -> ast.AST | None:
    """A handler that does nothing but what it did beside raising, or but tell a log or answer nothing."""
    known = {unparsed(node) for node in _own(before) if isinstance(node, ast.stmt)}
    return now if all(unparsed(node) in known or _only_tells(node) for node in now.body) else None


def _only_tells(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value))):
            return last_name(value).lower().strip("_") in LOGS
        case ast.Return(value=None | ast.Constant(value=None)):
            return True
        case _:
            return False


def _made_up(handler: ast.ExceptHandler) -> ast.AST | None:
    """What looks like a result: an object or a row of literals, a number; or that nothing is done."""
    if all(isinstance(node, ast.Pass | ast.Continue) for node in handler.body):
        return handler.body[0]
    for node in ast.walk(handler):
        match node:
            case ast.Return(value=ast.Constant(value=int() | float() | str()) as value):
                return None if isinstance(value.value, bool) else value
            case ast.Return(value=ast.Tuple() | ast.List() | ast.Dict() as value) if constants(value):
                return value if is_value(value) else None
            case ast.Return(value=ast.Call(args=[_, *_] as given) as value) if last_name(value)[:1].isupper():
                return value if any(map(is_value, given)) else None
    return None
