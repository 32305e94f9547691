"""GTL611 of the product's own errors: what raises one is called as before, and nobody hears of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gateline.integrity.both import Both, on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.finding import at_node
from gateline.integrity.module import Function, Module
from gateline.integrity.swallowed import says_nothing
from gateline.integrity.text import last_name, unparsed
from gateline.model.finding import Finding, Weight

CODE = "GTL611"


@dataclass(frozen=True, slots=True)
class Guard:
    """A place where errors of some kinds are passed over in silence, with the work they come from."""

    node: ast.AST
    kinds: frozenset[str]
    body: Sequence[ast.stmt]


def find(evidence: Evidence) -> Iterator[Finding]:
    """The guards that were put around work that was there before."""
    for base, now in on_both_sides(evidence.both.product):
        after = dict(now.listed(_guarding))
        for name in after.keys() & base.all_functions.keys():
            if not _is_meant(name, now, evidence):
                yield from _around_old_work(base.all_functions[name], after[name], now)


def _guarding(module: Module) -> Iterator[tuple[str, Function]]:
    """The functions that pass over errors of some kind: most do not."""
    return ((name, node) for name, node in module.all_functions.items() if any(_guards(node)))


def _around_old_work(old: Function, new: Function, now: Module) -> Iterator[Finding]:
    known = frozenset().union(*(guard.kinds for guard in _guards(old)))
    worked = {unparsed(node) for node in ast.walk(old) if isinstance(node, ast.stmt)}
    own = now.derived(_own_errors)
    for guard in _guards(new):
        told = sorted((guard.kinds & own) - known)
        if told and any(unparsed(node) in worked for node in guard.body):
            work = unparsed(guard.body[0]).splitlines()[0][:60]
            message = f"`{told[0]}`, which `{work}` may raise, is passed over from now on"
            yield at_node(CODE, now, guard.node, message, Weight.COUNTS)


def _guards(function: Function) -> Iterator[Guard]:
    for node in ast.walk(function):
        match node:
            case ast.Try(handlers=handlers, body=body):
                for handler in handlers:
                    if handler.type is not None and all(map(says_nothing, handler.body)):
                        yield Guard(handler, _kinds([handler.type]), body)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for call in (item.context_expr for item in items):
                    if isinstance(call, ast.Call) and last_name(call) == "suppress":
                        yield Guard(call, _kinds(call.args), body)


def _kinds(given: Sequence[ast.expr]) -> frozenset[str]:
    kinds = (one for kind in given for one in (kind.elts if isinstance(kind, ast.Tuple) else [kind]))
    return frozenset(map(last_name, kinds))


def _own_errors(module: Module) -> frozenset[str]:
    """Names that a file defines itself, or has from its own package."""
    folders = PurePosixPath(module.source.path).parts[:-1]
    found = set(module.classes)
    for node, _ in module.owned:
        if isinstance(node, ast.ImportFrom) and (
            node.level > 0 or (node.module or "").partition(".")[0] in folders
        ):
            found |= {alias.asname or alias.name for alias in node.names}
    return frozenset(found)


def _is_meant(name: str, now: Module, evidence: Evidence) -> bool:
    """Whether the function's docstring, a page, or a test that changed says something of it."""
    last, product = name.rpartition(".")[2], evidence.product
    if (now.source.path, name) in product.redescribed or product.is_told([last]):
        return True
    return _is_tested_anew(last, evidence.both)


def _is_tested_anew(name: str, both: Both) -> bool:
    changed = (new for old, new in both.pairs.both if old.print != new.print)
    return any(name in test.said.calls and test.checks for test in (*both.pairs.come, *changed))
