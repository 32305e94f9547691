"""The content of a note: its normalised text, its words, and the facts that a merge must not lose."""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b

from gateline.context.words import tokens_of, words_in

_SPACE = re.compile(r"\s+")
_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})
_LIST_MARK = re.compile(r"^(?:[-*•]|\d+[.)])\s+")
_ENDS = " .!;,"


def normalised(text: str) -> str:
    """The text without what changes no content: case, white space, typographic marks, the full stop."""
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN).casefold()
    return _LIST_MARK.sub("", _SPACE.sub(" ", plain).strip()).strip(_ENDS)


def digest_of(text: str) -> str:
    """Names the normalised content of a text."""
    return blake2b(normalised(text).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def stems(text: str) -> list[str]:
    """The words of a text that tell something, without inflections, identifiers taken apart, in order."""
    return [stem for word in words_in(text) for stem in tokens_of(word)]
