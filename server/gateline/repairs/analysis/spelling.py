"""How the text of an expression becomes that of a related one."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from gateline.repairs.analysis.code import Code

_PREFIX = re.compile(r"^(?P<prefix>[A-Za-z]*)(?P<quote>\"\"\"|'''|\"|')", re.DOTALL)
_PARTS = re.compile(r"[rRbBuUfF]*(?:\"\"\"|'''|\"|')")


def without_prefix(code: Code, node: ast.Constant) -> str | None:
    """A literal of bytes as text: every part of it without its `b`; None when it is none."""
    return _prefixed(code, node, lambda prefix: re.sub("[bB]", "", prefix))


def with_prefix(code: Code, node: ast.Constant) -> str | None:
    """A literal of text as bytes; None when it holds other characters than ASCII."""
    if not isinstance(node.value, str) or not node.value.isascii():
        return None
    return _prefixed(code, node, lambda prefix: "b" + re.sub("[uU]", "", prefix))


def _prefixed(code: Code, node: ast.Constant, change: Callable[[str], str]) -> str | None:
    segment = code.segment(node)
    match = _PREFIX.match(segment)
    if match is None or len(_parts(segment)) != 1:
        return None
    return change(match["prefix"]) + segment[match.end("prefix") :]


def _parts(segment: str) -> list[str]:
    """The openings of the literals that stand side by side, as far as a simple look can tell."""
    found: list[str] = []
    at = 0
    while (match := _PARTS.match(segment, at)) is not None:
        quote = match[0].lstrip("rRbBuUfF")
        end = segment.find(quote, match.end())
        while end > 0 and segment[end - 1] == "\\":
            end = segment.find(quote, end + 1)
        if end < 0:
            return [*found, match[0]]
        found.append(match[0])
        at = end + len(quote)
        at += len(segment[at:]) - len(segment[at:].lstrip())
    return found


def unquoted(node: ast.expr) -> str | None:
    """The number that a literal of text holds, as text; None when it is none."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str | bytes):
        return None
    text = node.value if isinstance(node.value, str) else node.value.decode("ascii", "replace")
    return text if re.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", text) else None


def redisplayed(code: Code, node: ast.expr, opening: str, closing: str) -> str | None:
    """A list, tuple or set in other brackets; None when it is no display."""
    if not isinstance(node, ast.List | ast.Tuple | ast.Set):
        return None
    segment = code.segment(node)
    bare = isinstance(node, ast.Tuple) and not segment.startswith("(")
    inside = segment if bare else segment[1:-1]
    if opening == "(" and len(node.elts) == 1 and not inside.rstrip().endswith(","):
        inside = f"{inside},"
    if opening == "[" and len(node.elts) == 1:
        inside = inside.rstrip().removesuffix(",")
    return f"{opening}{inside}{closing}"
