"""GTL611 of the product's own errors: what raises one is called as before, and nobody hears of it."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from gateline.analysis.modules import Function, Module
from gateline.analysis.trees import unparsed, walk
from gateline.integrity.change_view import Both, on_both_sides
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.rules.error_swallowed import CODE
from gateline.integrity.rules.error_swallowed.handlers import says_nothing
from gateline.integrity.tests.collection import Test
from gateline.model.finding import Finding, Weight
from gateline.model.names import last_name

_ALL = frozenset({"Exception", "BaseException"})
_WIDE = frozenset(
    {"OSError", "IOError", "EnvironmentError", "ValueError", "TypeError", "RuntimeError", "LookupError"}
    | {"KeyError", "IndexError", "AttributeError", "ArithmeticError"}
)
"""Python's own errors that nearly anything may raise."""
_MUCH = 3
"""Statements around which such an error is no expected answer of one of them."""


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
        yield from _in_new_functions(base, now, evidence)


def _guarding(module: Module) -> Iterator[tuple[str, Function]]:
    """The functions that pass over errors of some kind: most do not."""
    return ((name, node) for name, node in module.all_functions.items() if any(_guards(node)))


def _around_old_work(old: Function, new: Function, now: Module) -> Iterator[Finding]:
    known = frozenset().union(*(guard.kinds for guard in _guards(old)))
    worked = {unparsed(node) for node in walk(old) if isinstance(node, ast.stmt)}
    own = now.derived(_own_errors)
    for guard in _guards(new):
        told = sorted((guard.kinds & own) - known) if _ALL.isdisjoint(known) else []
        if told and any(unparsed(node) in worked for node in guard.body):
            yield _finding(told[0], unparsed(guard.body[0]).splitlines()[0], guard, now)
        elif wide := _around_much(guard, worked, known):
            yield _finding(wide, unparsed(guard.body[0]).splitlines()[0], guard, now)


def _around_much(guard: Guard, worked: set[str], known: frozenset[str]) -> str:
    """The error that is passed over around all of much old work; "" for none."""
    wide = sorted((guard.kinds & _WIDE) - known)
    much = len(guard.body) >= _MUCH and all(unparsed(node) in worked for node in guard.body)
    return wide[0] if wide and much and _ALL.isdisjoint(known) else ""


def _in_new_functions(base: Module, now: Module, evidence: Evidence) -> Iterator[Finding]:
    """The guards in functions that are new, around calls that nothing guarded, and that are nowhere else."""
    new = [row for row in now.listed(_guarding) if row[0] not in base.all_functions]
    if not new:
        return
    left, before = (Counter(_calls(module.all_functions.values())) for module in (now, base))
    guarded = _guarded(base)
    own = now.derived(_own_errors)
    for name, function in new:
        for guard in _guards(function) if not _is_meant(name, now, evidence) else ():
            moved = [call for call in _calls(guard.body) if 0 < left[call] <= before[call]]
            for call in moved[:1]:
                known = guarded.get(call, frozenset())
                if (told := sorted((guard.kinds & own) - known)) and _ALL.isdisjoint(known):
                    yield _finding(told[0], call, guard, now)


def _guarded(module: Module) -> Mapping[str, frozenset[str]]:
    """By text of a call: the kinds of errors that are passed over around it."""
    found: dict[str, frozenset[str]] = {}
    for guard in (guard for function in module.all_functions.values() for guard in _guards(function)):
        for call in _calls(guard.body):
            found[call] = found.get(call, frozenset()) | guard.kinds
    return found


def _finding(kind: str, work: str, guard: Guard, now: Module) -> Finding:
    message = f"`{kind}`, which `{work[:60]}` may raise, is now swallowed"
    return at_node(CODE, now, guard.node, message, Weight.COUNTS)


def _calls(nodes: Iterable[ast.AST]) -> list[str]:
    return [unparsed(n) for node in nodes for n in ast.walk(node) if isinstance(n, ast.Call)]


def _guards(function: Function) -> Iterator[Guard]:
    for node in walk(function):
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
    return is_tested_anew(last, evidence.both)


def is_tested_anew(name: str, both: Both) -> bool:
    """Whether a test that is new or changed calls a function, and checks more than its errors from now on."""
    rows = [(frozenset[str](), test) for test in both.pairs.come]
    rows += [(_answers(old), new) for old, new in both.pairs.both if old.print != new.print]
    return any(name in test.said.calls and _answers(test) - known for known, test in rows)


def _answers(test: Test) -> frozenset[str]:
    """What is checked, as text, of what is answered and not raised."""
    return frozenset(c.text for c in test.checks if c.relation != "raises" and "raised(" not in c.text)
