"""What a repaired text looks like: names nobody defines, literals that are called, lines without effect."""

from __future__ import annotations

import ast
import builtins
import re
import warnings
from collections import Counter
from collections.abc import Iterator

from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.ranking import Features
from gateline.repairs.syntax.tokens import Kind, Token, read_tokens

_BUILTINS = frozenset(dir(builtins)) | {"__file__", "__class__", "self", "cls"}
_MOST = 20


def posterior(before: str, after: str, known: frozenset[str], head: str) -> Features:
    """What the lines show that differ, below those of `head`; `known` are names that are used elsewhere."""
    lines = changed(before, after)
    found: Features = {"lines": min(len(lines), _MOST), **_exchanged(before, after, lines)}
    tree = _tree(head + after)
    if tree is None:
        return found
    shift = head.count("\n") + 1
    here = [n for n in ast.walk(tree) if getattr(n, "lineno", 0) - shift in lines]
    used = {n.id for n in here if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    unknown = used - known - _BUILTINS
    found["undefined"] = len(unknown)
    found["coined"] = len(unknown - names_in(before))
    found["strange"] = sum(1 for n in here if _is_strange(n))
    found["useless"] = sum(1 for n in here if _is_useless(n))
    found["annotation"] = sum(1 for n in here if isinstance(n, ast.AnnAssign) and n.value is None)
    found["pair"] = sum(1 for n in here if isinstance(n, ast.Assign) and isinstance(n.value, ast.Tuple))
    found["stray self"] = _stray(tree)
    found["unreachable"] = _unreachable(tree)
    found["constant test"] = sum(1 for n in here if _is_constant_test(n))
    found |= _of_strings(list(_strings(after, lines)))
    return found


def names_in(text: str) -> frozenset[str]:
    """The words of a text, which need not parse, that may be names: those in formatted strings are, too."""
    tokens = layout_of(text).tokens
    inside = (t.text for t in tokens if t.kind in _STRINGS and "f" in t.text[:2].lower())
    words = {t.text for t in tokens if t.kind is Kind.NAME}
    return frozenset(words | {w for s in inside for w in _WORD.findall(s)})


_STRINGS = frozenset({Kind.STRING, Kind.BROKEN})
_WORD = re.compile(r"[^\W\d]\w*")


def changed(before: str, after: str) -> range:
    """The lines of `after` that differ from `before`: those between the common head and tail."""
    old, new = before.split("\n"), after.split("\n")
    shorter = min(len(old), len(new))
    first = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    tail = 0
    while tail < shorter - first and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return range(first, len(new) - tail)


def _exchanged(before: str, after: str, lines: range) -> Features:
    """How many words and signs are gone, and how many are new; how many lines are comments now."""
    rows = after.split("\n")
    old_stop = before.count("\n") + 1 - (len(rows) - lines.stop)
    old = _kinds("\n".join(before.split("\n")[lines.start : old_stop]))
    new = _kinds("\n".join(rows[lines.start : lines.stop]))
    found: Features = {}
    for name, one, other in (("lost", old, new), ("new", new, old)):
        for kind in ("word", "sign", "string", "comment"):
            found[f"{name} {kind}"] = min(sum((one[kind] - other[kind]).values()), _MOST)
    return found


def _kinds(text: str) -> dict[str, Counter[str]]:
    """The tokens of some lines, sorted by what they are."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in ("word", "sign", "string", "comment")}
    for token in read_tokens(text):
        if token.kind is not Kind.NEWLINE:
            found[_SORTS.get(token.kind, "word")][token.text] += 1
    return found


_SORTS = {
    **dict.fromkeys((Kind.OPERATOR, Kind.OPEN, Kind.CLOSE, Kind.JUNK), "sign"),
    **dict.fromkeys((Kind.STRING, Kind.BROKEN), "string"),
    Kind.COMMENT: "comment",
}


def _tree(text: str) -> ast.AST | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


_NOT_CALLED = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr, ast.ListComp, ast.Compare)
_NO_ITEMS = (ast.Set, ast.Compare, ast.BinOp)


def _is_strange(node: ast.AST) -> bool:
    """What parses and cannot work: a literal that is called, an item of a number."""
    match node:
        case ast.Call(func=function):
            return isinstance(function, _NOT_CALLED)
        case ast.Subscript(value=ast.Constant(value=value)) | ast.Attribute(value=ast.Constant(value=value)):
            return not isinstance(value, str | bytes)
        case ast.Subscript(value=ast.List(), slice=ast.Tuple()):
            return True
        case ast.Subscript(value=value):
            return isinstance(value, _NO_ITEMS)
        case ast.Compare():
            return _is_literal_test(node)
    return False


def _is_literal_test(node: ast.Compare) -> bool:
    if not any(isinstance(operator, ast.Is | ast.IsNot) for operator in node.ops):
        return False
    values = (v.value for v in (node.left, *node.comparators) if isinstance(v, ast.Constant))
    return any(value not in (None, True, False, ...) for value in values)


def _is_useless(node: ast.AST) -> bool:
    if not isinstance(node, ast.Expr):
        return False
    if isinstance(node.value, ast.Constant):
        return not isinstance(node.value.value, str | type(...))
    return not isinstance(node.value, ast.Call | ast.Await | ast.Yield | ast.YieldFrom)


def _is_constant_test(node: ast.AST) -> bool:
    test = getattr(node, "test", None)
    return isinstance(test, ast.NamedExpr) or (isinstance(test, ast.Constant) and isinstance(test.value, str))


def _stray(tree: ast.AST) -> int:
    """How many functions with `self` stand outside of a class."""
    inside = {id(n) for c in ast.walk(tree) if isinstance(c, ast.ClassDef) for n in c.body}
    functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and id(n) not in inside)
    return sum(1 for f in functions if f.args.args[:1] and f.args.args[0].arg == "self")


_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def _unreachable(tree: ast.AST) -> int:
    """In how many blocks something follows what leaves them."""
    blocks = (getattr(n, name, None) for n in ast.walk(tree) for name in ("body", "orelse", "finalbody"))
    rows = (block[:-1] for block in blocks if isinstance(block, list))
    return sum(1 for row in rows if any(isinstance(n, _LEAVES) for n in row))


def _strings(text: str, lines: range) -> Iterator[tuple[Token, bool]]:
    """The strings on some lines, and whether each follows another one."""
    layout = layout_of(text)
    if not lines or not layout.tokens:
        return
    before = None
    number = layout.token_at(layout.starts[min(lines.start, len(layout.starts) - 1)])
    for token in layout.tokens[number:]:
        if token.line >= lines.stop:
            return
        if token.kind is Kind.STRING:
            yield token, before is not None and before.kind is Kind.STRING
        before = token


_SIGN = re.compile(r"[=()\[\]{}<>*+/;:,]")
_MARKS = {"'", '"'}
_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"))
_CODE = re.compile(r"\w\(|\w\[|\)\.|\w\.\w+\)| [-+*/%=<>]=? |==")
_EDGE = re.compile(r"^[,:;)\]}=]|^ (?:in|and|or|if|else|not) |[(\[{,=]$|^\s*[+%] ")


def _of_strings(strings: list[tuple[Token, bool]]) -> Features:
    """Signs that code has slipped into a string, or a string into the code."""
    bodies = [_body(token.text) for token, _ in strings]
    return {
        "joined strings": sum(follows for _, follows in strings),
        "odd string": sum(1 for b in bodies if any(b.count(o) != b.count(c) for o, c in _PAIRS)),
        "quote inside": sum(1 for b in bodies if "'" in b.replace("n't", "").replace("'s", "") or '"' in b),
        "code at edge": sum(1 for b in bodies if _EDGE.search(b)),
        "code inside": sum(1 for b in bodies if _CODE.search(b)),
        "signs inside": sum(min(len(_SIGN.findall(b)), 8) for b in bodies),
        "quote at edge": sum(1 for b in bodies if b[:1] in _MARKS or b[-1:] in _MARKS),
        "strings": len(bodies),
        "blank at edge": sum(1 for b in bodies if b != b.strip()),
        "empty string": sum(1 for b in bodies if not b),
    }


def _body(text: str) -> str:
    """What stands between the quotes."""
    bare = text.lstrip("rbfuRBFU")
    size = 3 if bare[:3] in {'"""', "'''"} and len(bare) >= 6 else 1
    return bare[size : len(bare) - size]
