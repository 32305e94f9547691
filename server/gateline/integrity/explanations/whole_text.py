"""A text that is expected as a whole where a part of it was looked for."""

from __future__ import annotations

import ast

from gateline.analysis.trees import constants
from gateline.integrity.explanations.indirect_check import reads_a_file
from gateline.integrity.tests.check import Check


def is_whole(before: Check, after: Check) -> bool:
    """Whether a text is expected that has all that was looked for in it: `startswith("a")`, `== "abc"`."""
    if before.relation == "in" and after.exact and reads_a_file(after.expected):
        # A file that changed along with it is looked at by itself.
        return True
    if before.relation == "in" and after.exact and _has_text(after.expected, before.expected):
        return True
    asked = _looked_for(before) if before.relation in ("true", "in") and after.exact else frozenset()
    parts, texts = ([v[1:-1] for v in side if v[:1] in "'\""] for side in (asked, after.constants))
    return len(parts) == len(asked) > 0 and all(any(part in text for text in texts) for part in parts)


def _looked_for(check: Check) -> frozenset[str]:
    """The literal values that are looked for in something; the numbers of its places are none."""
    match check.subject:
        case ast.Call(func=ast.Attribute(attr="startswith" | "endswith"), args=[given]):
            return constants(given)
        case _:
            return check.constants


def _has_text(whole: ast.expr | None, part: ast.expr | None) -> bool:
    """Whether a text is a part of one of those in what is expected."""
    match part:
        case ast.Constant(value=str() as text) if text and whole is not None:
            return any(text in v[1:-1] for v in constants(whole) if v[:1] in "'\"")
        case _:
            return False
