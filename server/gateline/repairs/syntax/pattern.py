"""Names of repairs, for programs and for people."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gateline.model import Edit
from gateline.repairs.edits import line_starts, offset_of

_SHOWN = 30


def pattern_of(text: str) -> str:
    """A name in kebab-case for what the compiler says, or for what a rule calls its change."""
    words = re.sub(r"'[^']*'|\([^)]*\)|\bon line \d+|\bat line \d+|\d+", " ", text.lower())
    signs = {",": "comma", ":": "colon", ".": "dot", "=": "equals", ";": "semicolon"}
    last = text.rsplit(" ", 1)[-1]
    name = "-".join(re.findall(r"[a-z]+", words)[:6])
    return f"{name}-{signs[last]}" if last in signs else name or "syntax"


def title_of(text: str, edits: Sequence[Edit]) -> str:
    """What the edits do, as an order for a person."""
    starts = line_starts(text)
    first = edits[0]
    old = text[offset_of(starts, first.span.start) : offset_of(starts, first.span.end)]
    more = f" (and {len(edits) - 1} more)" if len(edits) > 1 else ""
    line = first.span.start.line + 1
    if not old.strip() and not first.text.strip():
        return f"Change the indentation of line {line}{more}"
    if not old.strip():
        return f"Insert {_told(first.text)} in line {line}{more}"
    if not first.text.strip():
        return f"Delete {_told(old)} in line {line}{more}"
    return f"Write {_told(first.text)} for {_told(old)} in line {line}{more}"


def _told(text: str) -> str:
    bare = " ".join(text.split())
    return f"`{bare if len(bare) <= _SHOWN else bare[: _SHOWN - 1] + '…'}`"
