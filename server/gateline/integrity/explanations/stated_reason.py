"""Whether a comment that silences some codes gives a reason, so that everybody can judge it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gateline.model.source import Source

_WORD = re.compile(r"[^\W\d_]{2,}")
_FEW = 3
"""Fewer words give no reason."""
_SHORT = 6
"""So many words a comment has that stands above, as any comment does."""
_PROMISING = re.compile(
    r"\b(todo|fixme|xxx|hack|wip|later|for now|soon|temporar\w*|refactor\w*|clean ?up|until)\b", re.IGNORECASE
)
"""What says that the code will be mended, not why it needs not be."""
_GRAVE = re.compile(
    r"C90\d|PLR09\d\d|R09\d\d|too-\w+|F[67]\d\d|F8[12]\d|E9\d*|E722|bare-except|undefined-\w+|used-before-assignment"
    r"|(S|B)10[24]|(S|B)307|(S|B)60[2458]|(S|B)50[0-9]|(eval|exec)-used|GTL\d*",
    re.IGNORECASE,
)
"""Codes of what no reason makes right: code that grew too long, cannot run, or lets anybody in."""
_OF_LAYOUT = re.compile(
    r"E1\d\d|E2\d\d|E3\d\d|E50\d|E70\d|E73\d|E74\d|W[1256]\d\d|I00\d|N8\d\d|COM8\d\d|Q00\d|ISC00\d|"
    r"line-too-long|invalid-name|wrong-import-\w+|ungrouped-imports|consider-using-f-string",
    re.IGNORECASE,
)
"""Codes of how code looks, not of what it does."""


def is_of_layout(codes: Sequence[str]) -> bool:
    """Whether nothing but the look of the code is let go."""
    return bool(codes) and all(_OF_LAYOUT.fullmatch(code) for code in codes)


def is_reasoned(codes: Sequence[str], reason: str, above: str) -> bool:
    """Whether some codes are silenced for a reason that stands there, and may be one.

    It follows the codes, or is a comment of its own `above`.
    """
    if not codes or any(_GRAVE.fullmatch(code) for code in codes):
        return False
    return _tells(reason, _FEW) or _tells(above, _SHORT)


def _tells(text: str, least: int) -> bool:
    return len(_WORD.findall(text)) >= least and _PROMISING.search(text) is None


def comment_above(source: Source, line: int) -> str:
    """The lines of comment right above a line."""
    found: list[str] = []
    while line > 0 and (text := source.line(line - 1).strip()).startswith("#"):
        found.insert(0, text.lstrip("# "))
        line -= 1
    return " ".join(found)
