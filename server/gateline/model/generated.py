"""Whether a text says that a program wrote it: such a text is not asked to be simple or documented."""

from __future__ import annotations

import re

_SAYS = re.compile(
    r"@generated\b|\b(auto(matically)?[- ]?)?generated (by|from|with)\b|\bdo not (edit|modify)\b|"
    r"\bgenerated (file|code)\b",
    re.IGNORECASE,
)


def generated_line(text: str) -> int | None:
    """The zero-based line of the comments at its head that says so; None when none does."""
    for number, line in enumerate(text.splitlines()):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            return None
        if _SAYS.search(stripped):
            return number
    return None
