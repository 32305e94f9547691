"""What kind of mistake the compiler's words point at."""

from __future__ import annotations

import re

from gateline.repairs.syntax.judge import Failure

_KINDS = (
    ("triple", r"triple-quoted"),
    ("f-string", r"^f-string|in f-string"),
    ("string", r"unterminated string"),
    ("escape", r"unicode ?error|codec can't decode|escape"),
    ("unclosed", r"was never closed"),
    ("unmatched", r"^unmatched"),
    ("mismatched", r"does not match opening"),
    ("body", r"expected an indented block"),
    ("indent", r"^unexpected indent"),
    ("dedent", r"unindent does not match"),
    ("tabs", r"inconsistent use of tabs"),
    ("colon", r"expected ':'"),
    ("comma", r"forgot a comma"),
    ("equals", r"meant '==?'|meant ':='|contain assignment"),
    ("assign", r"cannot assign|cannot delete|illegal target"),
    ("character", r"invalid character|non-printable|continuation character"),
    ("number", r"decimal literal|leading zeros|hexadecimal|octal|binary|imaginary"),
    ("print", r"Missing parentheses"),
    ("order", r"follows|repeated|must follow|cannot follow|ahead of|parenthesized|duplicate"),
    ("import", r"trailing comma|import"),
    ("try", r"'except'|exception types"),
    ("bracket", r"expected '\('"),
    ("dictionary", r"dictionary key|':' expected|dict"),
    ("end", r"unexpected EOF"),
    ("else", r"expected 'else'"),
    ("declared", r"^name '\w+' is |nonlocal"),
    ("outside", r"outside (?:async )?function"),
)
_COMPILED = tuple((name, re.compile(pattern)) for name, pattern in _KINDS)


def kind_of(failure: Failure) -> str:
    """A word for it: `string`, `body`, `comma`; `other` for `invalid syntax` and what nobody knows."""
    if failure.is_late:
        return "late"
    return next((name for name, pattern in _COMPILED if pattern.search(failure.message)), "other")
