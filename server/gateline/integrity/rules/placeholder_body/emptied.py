"""GTL614 of makers: a new function is to make something of what it is given, and makes an empty one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.analysis.modules import Function, Module, without_docstring
from gateline.integrity.evidence import Evidence
from gateline.integrity.findings import at_node
from gateline.integrity.product.new_functions import new_functions
from gateline.integrity.rules.placeholder_body import CODE
from gateline.model.finding import Finding, Weight

_EMPTY = frozenset({"dict", "list", "set", "tuple", "str", "bytes", "int", "float", "frozenset"})
_BOUND = frozenset({"classmethod", "staticmethod"})
_CLAIM = re.compile(
    r"(makes?|reads?|parses?|loads?|builds?|creates?|restores?|converts?|decodes?)\b", re.IGNORECASE
)
_NOTHING_MEANT = re.compile(
    r"\b(empty|nothing|default\w*|ignore[sd]?|null|dummy|fake|stub|mock)\b", re.IGNORECASE
)


def find(evidence: Evidence) -> Iterator[Finding]:
    """The new functions that look at nothing they are given, although they or a page say so."""
    for name, function, module, told in new_functions(evidence):
        if _makes_nothing(name, function, module) and _is_said(function, told):
            message = f"`{name}` is new, ignores its arguments and returns an empty value"
            yield at_node(CODE, module, function, message, Weight.COUNTS)


def _is_said(function: Function, told: str) -> bool:
    said = ast.get_docstring(function) or ""
    if _NOTHING_MEANT.search(f"{function.name.replace('_', ' ')} {said} {told}"):
        return False
    return bool(told) or _CLAIM.match(said) is not None


def _makes_nothing(name: str, function: Function, module: Module) -> bool:
    owner = module.classes.get(name.rpartition(".")[0])
    marks = {d.id if isinstance(d, ast.Name) else "" for d in function.decorator_list}
    if not marks <= _BOUND or (owner is not None and owner.bases):
        return False
    given = {a.arg for a in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)}
    match without_docstring(function):
        case [ast.Return(value=ast.Call(func=ast.Name(id=made), args=[], keywords=[]))]:
            is_made = made == "cls" or made in module.classes or made in _EMPTY
            return is_made and bool(given - {"self", "cls"})
        case _:
            return False
