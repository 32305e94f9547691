"""What the pattern says that the message of an error is to match, beside what was expected of the error."""

from __future__ import annotations

import ast
import re

from gateline.analysis.trees import literal, text_of
from gateline.integrity.tests.check import Check, raised_by
from gateline.model.names import last_name

_PLAIN = re.compile(r"^\^|\$$|\\[AZbB]|\\(?=[^\w\s])")
"""What a pattern has beside the text it matches: its ends, and backslashes before signs."""
_OPEN = re.compile(r"(?<!\\)\||\)[?*]")
"""What may match or not: one of several, or a group that is left out."""
_UNKNOWN = "\0"


def is_as_close(before: Check, after: Check) -> bool:
    """Whether an error's message must have in it what was expected of it, or of a part of the error."""
    match before.expected, after.expected:
        case (
            ast.Tuple(elts=[kind, ast.Constant(value=str() as old)]),
            ast.Tuple(elts=[other, ast.Constant(value=str() as new)]),
        ):
            same = _PLAIN.sub("", old) in _PLAIN.sub("", new) or _spoken(old) == _spoken(new)
            return text_of(kind) == text_of(other) and same
        case ast.Tuple(elts=[_, ast.Constant(value=str() as old)]), ast.Constant(value=str() as new):
            # The whole message is expected, and no more matched.
            return before.relation == "raises" and after.exact and _PLAIN.sub("", old) in new
        case ast.Constant(value=value), ast.Tuple(elts=[_, pattern]):
            told = before.exact and after.relation == "raises" and _is_of_error(before.subject)
            return told and not isinstance(value, bool) and _tells(pattern, before.expected)
        case _:
            return False


def _spoken(pattern: str) -> list[str]:
    """The words and numbers of a pattern: a full stop at its end matters to nobody."""
    return re.findall(r"\w+|[.,]\d", pattern)


def _is_of_error(subject: ast.expr) -> bool:
    """Whether it is an error that was caught, its text or a part of it."""
    match subject:
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            return raised_by(inner) is not None
        case _:
            return raised_by(subject) is not None


def _tells(pattern: ast.expr, value: ast.Constant) -> bool:
    """Whether a text must have a value in it, as a word of its own, to match."""
    text = _written(pattern)
    wanted = value.value if isinstance(value.value, str) else literal(value)
    if not wanted or _OPEN.search(text):
        return False
    alone = rf"(?<![\w\[-]){re.escape(wanted)}(?![\w?*{{]|\.\d)"
    return re.search(alone, _PLAIN.sub("", text)) is not None


def _written(pattern: ast.expr) -> str:
    """The text of a pattern, as far as it is known."""
    match pattern:
        case ast.Constant(value=value):
            return str(value)
        case ast.JoinedStr(values=values):
            return "".join(map(_written, values))
        case ast.FormattedValue(value=ast.Constant(value=value), conversion=-1, format_spec=None):
            return str(value)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _written(left) + _written(right)
        case ast.Call(args=[inner]) if last_name(pattern) == "escape":
            return re.escape(_written(inner))
        case _:
            return _UNKNOWN
