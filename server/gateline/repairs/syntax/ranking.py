"""What makes one repair likelier than another: its pattern, its place, and what it leaves behind."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping

from gateline.repairs.syntax import weights
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.site import Change, Site
from gateline.repairs.syntax.tokens import Kind, tokens_of

Features = dict[str, float]
_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__class__", "self", "cls"}
_NEAR = 6


def prior(site: Site, change: Change) -> Features:
    """What is known of a change before it is tried."""
    found: Features = {f"pattern {change.pattern}": 1.0}
    if change.token >= 0:
        away = change.token - site.at
        distance = abs(away)
        found["distance"] = min(distance, _NEAR)
        found["far"] = min(max(distance - _NEAR, 0), 40)
        found["behind"] = float(away > 0)
    added = removed = 0
    for start, end, text in change.replacements[:8]:
        new, old = _words(text), _words(site.text[start:end])
        same = sum((new & old).values())
        added += sum(new.values()) - same
        removed += sum(old.values()) - same
    found["added"], found["removed"] = min(added, 6), min(removed, 6)
    return found


def _words(text: str) -> Counter[str]:
    return (
        Counter(t.text for t in tokens_of(text) if t.kind is not Kind.NEWLINE) if text.strip() else Counter()
    )


def posterior(before: str, after: str, known: frozenset[str], head: bool) -> Features:
    """What a repaired window shows on the lines that changed."""
    lines = changed(before, after)
    found: Features = {"lines": min(len(lines), 20)}
    tree = _tree(after, head)
    if tree is None:
        return found
    shift = 2 if head else 1
    here = [n for n in ast.walk(tree) if getattr(n, "lineno", 0) - shift in lines]
    used = {n.id for n in here if isinstance(n, ast.Name)}
    found["undefined"] = len(used - known - _BUILTINS)
    found["strange"] = sum(1 for n in here if _is_strange(n))
    found["useless"] = sum(1 for n in here if _is_useless(n))
    found["annotation"] = sum(1 for n in here if isinstance(n, ast.AnnAssign) and n.value is None)
    strings = list(_strings(after, lines))
    found["joined strings"] = sum(1 for s in strings if s is None)
    found["odd string"] = sum(1 for s in strings if s is not None and _is_odd(s))
    return found


def changed(before: str, after: str) -> range:
    """The lines of `after` that differ from `before`: those between the common head and tail."""
    old, new = before.split("\n"), after.split("\n")
    first = next(
        (n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new))
    )
    tail = 0
    while tail < min(len(old), len(new)) - first and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return range(first, len(new) - tail)


def _tree(text: str, head: bool) -> ast.AST | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse("if 1:\n" + text if head else text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


_NOT_CALLED = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr, ast.ListComp, ast.Compare)
_NO_ITEMS = (ast.Constant, ast.Set, ast.Compare, ast.BinOp)


def _is_strange(node: ast.AST) -> bool:
    """What parses and cannot work: a literal that is called, an item of a number."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, _NOT_CALLED)
    if isinstance(node, ast.Subscript):
        if isinstance(node.value, ast.Constant):
            return not isinstance(node.value.value, str | bytes)
        return isinstance(node.value, _NO_ITEMS) or (
            isinstance(node.value, ast.List) and isinstance(node.slice, ast.Tuple)
        )
    if isinstance(node, ast.Attribute):
        return isinstance(node.value, ast.Constant) and not isinstance(node.value.value, str | bytes)
    return isinstance(node, ast.Compare) and any(_is_literal_test(node, op) for op in node.ops)


def _is_literal_test(node: ast.Compare, operator: ast.cmpop) -> bool:
    return isinstance(operator, ast.Is | ast.IsNot) and any(
        isinstance(v, ast.Constant) and v.value not in (None, True, False, ...)
        for v in (node.left, *node.comparators)
    )


def _is_useless(node: ast.AST) -> bool:
    if not isinstance(node, ast.Expr):
        return False
    value = node.value
    if isinstance(value, ast.Constant):
        return not isinstance(value.value, str | type(...))
    return not isinstance(value, ast.Call | ast.Await | ast.Yield | ast.YieldFrom)


def _strings(text: str, lines: range) -> Iterator[str | None]:
    """The strings on some lines; None for two that stand side by side."""
    layout = layout_of(text)
    if not lines or not layout.tokens:
        return
    before = None
    number = layout.token_at(layout.starts[min(lines.start, len(layout.starts) - 1)])
    for token in layout.tokens[number:]:
        if token.line >= lines.stop:
            return
        if token.kind is Kind.STRING:
            if before is not None and before.kind is Kind.STRING:
                yield None
            yield token.text
        before = token


_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))


def _is_odd(text: str) -> bool:
    """Brackets in it do not match: part of the code may have slipped in."""
    return any(text.count(opener) != text.count(closer) for opener, closer in _PAIRS)


def cost(features: Mapping[str, float]) -> float:
    """The sum of all weights."""
    return sum(value * _weight(name) for name, value in features.items())


def _weight(name: str) -> float:
    if name.startswith("pattern "):
        return weights.PATTERNS.get(name.removeprefix("pattern "), weights.DEFAULT)
    return weights.FEATURES.get(name, 0.0)
