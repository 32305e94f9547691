"""Lists the messages that a user can see, as they stand in the code, so that they can be read in one page.

Found are messages of findings, of errors that are raised, and the meanings of codes. What is put in at run
time stands in braces. A sentence that is put together of several functions shows as its parts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PAGE = "docs/messages.md"
_PACKAGE = Path(__file__).parents[1] / "gateline"
_MAKERS = frozenset({"at_node", "at_line", "at_span", "echo", "ClickException", "BadParameter", "Code"})
"""Functions that are given a message."""
_NAMES = frozenset({"message", "reason"})
"""What a message is bound to, or given as."""
_LONGEST = 40
"""Letters of an expression that is shown whole."""
_HEAD = """# Messages

<!-- Written by `make generate`. -->
What users can read in editors, terminals and reports, by the module that says it: findings, errors, meanings
of codes. Braces hold what is put in. A message says what was found, where, and what to do (`docs/style.md`).
"""


def render() -> dict[str, str]:
    """The page, by its path in the repository."""
    parts = [_HEAD]
    for file in sorted(_PACKAGE.rglob("*.py")):
        rows = list(dict.fromkeys(messages(ast.parse(file.read_text(encoding="utf-8")))))
        if rows:
            listed = "\n".join(f"- {_quoted(row)}" for row in rows)
            parts.append(f"## {file.relative_to(_PACKAGE).as_posix()}\n\n{listed}\n")
    return {PAGE: "\n".join(parts)}


def messages(tree: ast.Module) -> Iterator[str]:
    """The messages of a module, each as a template on one line."""
    for node in ast.walk(tree):
        for given in _given(node):
            text = _template(given)
            # One word is a name or a key, and no sentence.
            if text and " " in text.strip():
                yield " ".join(text.split())


def _given(node: ast.AST) -> Iterator[ast.expr]:
    """The expressions at a node that are a message."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _NAMES:
            yield value
        case ast.Raise(exc=ast.Call(args=args)):
            yield from args
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in _MAKERS:
            yield from args
        case ast.Call(keywords=keywords):
            yield from (k.value for k in keywords if k.arg in _NAMES)


def _template(node: ast.expr) -> str:
    """A text with what is put in in braces; "" for an expression that is no text."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=values):
            return "".join(map(_part, values))
        case ast.IfExp(body=one, orelse=other):
            return " / ".join(filter(None, (_template(one), _template(other))))
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return _template(left) + _template(right)
        case _:
            return ""


def _part(node: ast.expr) -> str:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.FormattedValue(value=value):
            shown = ast.unparse(value)
            return f"{{{shown if len(shown) <= _LONGEST else '…'}}}"
        case _:
            return ""


def _quoted(text: str) -> str:
    """As code in Markdown, whatever marks are inside."""
    fence = "``" if "`" in text else "`"
    inner = f" {text} " if text.startswith("`") or text.endswith("`") else text
    return f"{fence}{inner}{fence}"
