"""Names for what has none yet: the element of a collection, the result of a call."""

from __future__ import annotations

import ast
import re

from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code
from gateline.repairs.analysis.none_tests import last
from gateline.repairs.analysis.scopes import visible

_PREFIX = re.compile(r"(?:get|find|fetch|load|read|lookup|search)_?(?:by_|one_|for_)?")
_RESULTS = {"search": "match", "match": "match", "fullmatch": "match", "fetchone": "row", "find": "found"}
_SHORT = 4
"""Letters of a plural that leave a name."""


def element_of(code: Code, node: ast.expr) -> str:
    """What an element of a collection may be called: `day` of `days`."""
    many = last(node) if isinstance(node, ast.Name | ast.Attribute) else ""
    one = many.lstrip("_")
    one = f"{one[:-3]}y" if one.endswith("ies") else one.removesuffix("s") if len(one) >= _SHORT else ""
    return fresh(code, node, one if one != many.lstrip("_") else "value")


def result_of(code: Code, call: ast.Call) -> str:
    """What the result of a call may be called: `match` of `re.search(…)`, `user` of `find_user(…)`."""
    name = dotted(call.func).rpartition(".")[2] or last(call.func)
    asked = call.args[0] if call.args else None
    if isinstance(asked, ast.Constant) and isinstance(asked.value, str) and asked.value.isidentifier():
        return fresh(code, call, asked.value)
    return fresh(code, call, _RESULTS.get(name) or _PREFIX.sub("", name).lstrip("_") or "found")


def fresh(code: Code, node: ast.AST, name: str) -> str:
    """The name, or another one where it means something already."""
    known = visible(code, node)
    wanted = name if name.isidentifier() else "found"
    others = (f"{wanted}_{number}" for number in range(2, len(known) + 3))
    return next(text for text in (wanted, f"{wanted}_found", *others) if text not in known)
