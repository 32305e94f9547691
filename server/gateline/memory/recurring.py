"""A failure that came back and was fixed the same way: what is remembered of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b

from gateline.memory.lesson import Anchor, Note, Source

ENOUGH = 2
"""So many times the same failure was fixed the same way before it is a lesson."""
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+")
_SPACE = re.compile(r"\s+")
_LONGEST = 300
"""Characters of a message that are told."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A failure that was fixed, and how."""

    failure: str
    """The message of the error, without the place."""
    way: str
    """What was done: the title of a repair, or what was changed."""
    path: str = ""
    """Relative to the workspace; empty: not in one file."""

    @property
    def fingerprint(self) -> str:
        """Pairs the same failure with the same fix: numbers, addresses and spaces do not count."""
        plain = "\n".join(
            _SPACE.sub(" ", _NUMBER.sub("0", text)).strip() for text in (self.failure, self.way)
        )
        return blake2b(plain.encode(), digest_size=12).hexdigest()


def lesson_of(fix: Fix, times: int, paths: frozenset[str]) -> Note:
    """What is remembered of a fix that was made so many times, in these files."""
    failure = _SPACE.sub(" ", fix.failure)[:_LONGEST]
    text = f"Recurring failure: {failure}. It was fixed {times} times the same way: {fix.way[:_LONGEST]}"
    anchor = Anchor(next(iter(paths))) if len(paths) == 1 else Anchor()
    return Note(text, ("fix", "recurring"), anchor, Source.FIX, {"times": times, "files": sorted(paths)})
