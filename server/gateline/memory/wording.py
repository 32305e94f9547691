"""The content of a note: its normalised text, its words, and its facts."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from gateline.context.words import STOP, parts, stem, tokens_of, words_in

_SPACE = re.compile(r"\s+")
_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..."})
_LIST_MARK = re.compile(r"^(?:[-*•]|\d+[.)])\s+")
_ENDS = " .!;,"
_FACT = re.compile(
    r"`[^`]+`|\"[^\"]+\"|[\w./-]*(?:_|\.\w|/|::|--)[\w./-]*"
    r"|\b[A-Z]{2,}[A-Z0-9-]*\b|\b[A-Z]\w*[A-Z]\w*|\b\d[\d.,]*\b"
)
"""What is quoted, a path, an option, a name of code, an abbreviation, a number."""
_AROUND_FACT = '.,;:"`'
_COUNTS = "one two three four five six seven eight nine ten twelve twenty"
_NUMBERS = frozenset(_COUNTS.split())


@dataclass(frozen=True, slots=True)
class Wording:
    """What a text says, as it is compared."""

    said: tuple[str, ...]
    """All words in lower case, in order, identifiers taken apart."""
    stems: tuple[str, ...]
    """Of the same words."""
    words: tuple[str, ...]
    """Those that tell something, each once, without numbers."""
    facts: frozenset[str]
    """Numbers, names of code, paths, what is quoted."""

    @property
    def names(self) -> frozenset[str]:
        """The facts that are no numbers."""
        return frozenset(fact for fact in self.facts if not fact[0].isdigit())


_stem = lru_cache(20_000)(stem)
"""Of words of notes: lessons near a note are read again with the next one."""


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


def read(text: str) -> Wording:
    """What a text says."""
    said = [part for word in words_in(text) for part in parts(word)]
    telling = (part for part in said if tells(part))
    facts = (found.strip(_AROUND_FACT).lower() for found in _FACT.findall(text))
    words = tuple(dict.fromkeys(telling))
    return Wording(tuple(said), tuple(map(_stem, said)), words, frozenset(filter(None, facts)))


def tells(word: str) -> bool:
    """Whether a word of a sentence names something, and no number."""
    return word not in STOP and not word.isdigit() and word not in _NUMBERS
