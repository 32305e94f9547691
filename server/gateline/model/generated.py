"""Whether a text says that a program wrote it: such a text is not asked to be simple or documented."""

from __future__ import annotations

import re

_SAYS = re.compile(
    r"@generated\b|\b(auto(matically)?[- ]?)?generated (by|from|with)\b|\bdo not (edit|modify)\b|"
    r"\bgenerated (file|code)\b",
    re.IGNORECASE,
)
_COMMENT = ("#", "//", "/*", "--", "<!--", ";")
"""How comments begin, in Python and in other languages."""


def says_generated(text: str) -> bool:
    """Whether the comments at the head of a text say that a program wrote it."""
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith(_COMMENT):
            return False
        if _SAYS.search(line):
            return True
    return False
