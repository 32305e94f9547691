"""What stands in for what is not found: the key, what the answer is compared with, another group."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from gateline.model.names import dotted
from gateline.repairs.analysis.code import Code, Function, is_none, walk_scope
from gateline.repairs.priors import prior

_GROUP = re.compile(r"\(\?P<(\w+)>")
_PLAIN = (ast.Name, ast.Attribute, ast.Constant)
_COMPARED = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


def instead(code: Code, call: ast.Call) -> Iterator[tuple[str, float]]:
    """What a lookup gives by default: what its answer is compared with, else the key."""
    statement, function = code.parent(call), code.function(call)
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if function is not None and target is not None and (name := dotted(target)):
        yield from (
            (code.segment(value), prior("donors.looked-up-compared")) for value in compared(function, name)
        )
    key = call.args[0] if call.args else None
    if isinstance(key, ast.Name) and isinstance(call.func, ast.Attribute):
        # A table of translations keeps what it has no other word for.
        yield key.id, prior("donors.looked-up-key")


def compared(function: Function, name: str) -> Iterator[ast.expr]:
    """The values that a function compares with a name, None excepted; those of `in` as well."""
    for node in walk_scope(function):
        if not isinstance(node, ast.Compare) or len(node.ops) != 1 or dotted(node.left) != name:
            continue
        other = node.comparators[0]
        if isinstance(node.ops[0], _COMPARED) and isinstance(other, _PLAIN) and not is_none(other):
            yield other
        elif isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(
            other, ast.Tuple | ast.List | ast.Set
        ):
            yield from (e for e in other.elts if isinstance(e, ast.Constant) and not is_none(e))


def other_groups(code: Code, call: ast.expr) -> Iterator[str]:
    """`match.group("bare")` for `match.group("quoted")`: groups of the same expression."""
    is_group = (
        isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "group"
    )
    if not is_group or not isinstance(call, ast.Call) or len(call.args) != 1:
        return
    key, owner = call.args[0], code.segment(call.func)
    if not isinstance(key, ast.Constant):
        return
    if isinstance(key.value, int):
        yield from (f"{owner}({number})" for number in (key.value + 1, key.value - 1) if number > 0)
        return
    texts = [n.value for n in code.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str | bytes)]
    for text in texts:
        names = _GROUP.findall(text if isinstance(text, str) else text.decode(errors="ignore"))
        if key.value in names:
            yield from (f"{owner}({_quoted(code, key, name)})" for name in names if name != key.value)


def _quoted(code: Code, key: ast.Constant, name: str) -> str:
    mark = code.segment(key)[-1:]
    return f"{mark}{name}{mark}"
