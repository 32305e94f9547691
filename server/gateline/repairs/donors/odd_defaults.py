"""Parameters that are None by default where the same parameter has another default elsewhere in the text."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from gateline.repairs.analysis.code import Code, is_none, parameters
from gateline.repairs.analysis.scopes import visible
from gateline.repairs.donors.call_arguments import default_of

_SAME_FUNCTION = 2
"""How much more a function of the same name says than others."""


class Odd(NamedTuple):
    """A default that is None, and what it is elsewhere."""

    node: ast.expr
    name: str
    """Of the parameter."""
    text: str
    is_same: bool
    """Whether a function of the same name says so."""


def odd_defaults(code: Code, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Odd]:
    """The odd defaults of a function, each with the default that most others have."""
    for parameter in parameters(function):
        default = default_of(function, parameter.arg)
        if default is None or not is_none(default):
            continue
        for text, votes in _votes(code, function.name, parameter.arg).most_common(1):
            if _names(text) <= visible(code, function).keys():
                yield Odd(default, parameter.arg, text, votes > _SAME_FUNCTION)


def _names(text: str) -> set[str]:
    return {n.id for n in ast.walk(ast.parse(text, mode="eval")) if isinstance(n, ast.Name)}


def _votes(code: Code, function: str, name: str) -> Counter[str]:
    votes: Counter[str] = Counter()
    for other in (one for same in code.functions.values() for one in same):
        default = default_of(other, name)
        if default is not None and not is_none(default) and default.lineno == default.end_lineno:
            votes[code.segment(default)] += 1 + _SAME_FUNCTION * (other.name == function)
    return votes
