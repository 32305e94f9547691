"""An error that is raised no longer, as the function says of itself or a page tells of it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.analysis.trees import names, unparsed
from gateline.integrity.change_view import Both, on_both_sides
from gateline.integrity.product.diff import Product
from gateline.integrity.tests.check import VACUOUS, Check
from gateline.integrity.tests.collection import Test
from gateline.model.names import last_name

_ERROR = re.compile(r"\w*(?:Error|Exception)\b")


def is_raised_no_more(check: Check, now: Test, product: Product) -> bool:
    """Whether a check is of an error that a function raises no more, and says so."""
    if (
        check.relation != "raises"
        or check.expected is None
        or not any(c.strength > VACUOUS for c in now.checks)
    ):
        return False
    unsaid = product.both.derived(_unsaid)
    if any(unsaid[name] & names(check.expected) for name in names(check.subject) & unsaid.keys()):
        return True
    fewer = product.both.derived(_fewer)
    told = {name.rpartition(".")[2] for _, name in product.redescribed}
    called = names(check.subject) & fewer.keys() & now.said.calls
    return any(
        fewer[name] & names(check.expected) and (name in told or product.is_told([name])) for name in called
    )


def _fewer(both: Both) -> dict[str, frozenset[str]]:
    """By name of a function: the errors that it raises at fewer places than it did."""
    found: dict[str, frozenset[str]] = {}
    for base, now in on_both_sides(both.product):
        before, after = dict(_raising(base)), dict(_raising(now))
        for name in before.keys() & after.keys():
            found[name.rpartition(".")[2]] = frozenset(before[name] - after[name])
    return found


def _unsaid(both: Both) -> dict[str, frozenset[str]]:
    """By name of a function that does something else now: the errors of which it says less, or otherwise."""
    found: dict[str, frozenset[str]] = {}
    for base, now in on_both_sides(both.product):
        for name in base.all_functions.keys() & now.all_functions.keys():
            old, new = base.all_functions[name], now.all_functions[name]
            before, after = _sentences(old), _sentences(new)
            if before != after and _does(old) != _does(new):
                found[name.rpartition(".")[2]] = frozenset(_ERROR.findall(" ".join(before - after)))
    return found


def _does(function: Function) -> str:
    return "\n".join(map(unparsed, without_docstring(function)))


def _sentences(function: Function) -> frozenset[str]:
    text = " ".join((ast.get_docstring(function) or "").split())
    return frozenset(re.split(r"(?<=[.;:]) ", text))


def _raising(module: Module) -> Iterator[tuple[str, Counter[str]]]:
    return ((name, Counter(_errors(node))) for name, node in module.all_functions.items())


def _errors(function: Function) -> Iterator[str]:
    raised = (node.exc for node in ast.walk(function) if isinstance(node, ast.Raise))
    return (last_name(exc) for exc in raised if exc is not None)
