"""From text to tokens: identifiers taken apart, inflections cut off, words that tell nothing left out."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

WORD = re.compile(r"[^\W\d]\w*+|\d++")
_ASCII_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*+|[0-9]++")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LONGEST = 60
"""Characters: longer words are data."""
_RECALLED = 1_000
"""Texts of chunks: of a few long files, of which one is typed in."""
_TOKENS = 2_000
"""Words whose tokens are remembered; of what is typed most come once."""
_KEY_LENGTH = 20
"""Letters and digits in one such run without a break are a key or a digest, and nobody asks for it."""

_COMMON = """
a an the and or of to in on at by for from with without into as is are was were be been being it its
this that these those there which who whom whose what when where how why if then else than so such not
no nor but do does did done can could should would may might must will shall has have had having we you
they he she i our your their his her them us me my one also any all each every some other others both
only just about over under between via per e g i e self cls none true false use used using uses return
returns given
"""
_STOP = frozenset(_COMMON.split())
_KEYWORDS = frozenset(word.lower() for word in (*keyword.kwlist, "self", "cls")) - {"import", "class"}
STOP = _STOP | _KEYWORDS

_VOWEL = re.compile(r"[aeiouy]")


def parts(identifier: str) -> list[str]:
    """The lower-case words of an identifier: `getHTTPCode_2` is get, http, code, 2."""
    if identifier.isascii():
        if identifier.islower() and identifier.isalpha():
            return [identifier]
        return [part.lower() for part in _PARTS.findall(identifier)]
    return [part for part in identifier.lower().split("_") if part]


def stem(word: str) -> str:
    """The word without the commonest English inflections; short words stay as they are."""
    if len(word) <= 3 or not word.isascii():
        return word
    word = _singular(word)
    for ending in ("ing", "ed"):
        base = word.removesuffix(ending)
        if base != word and len(base) >= 3 and _VOWEL.search(base):
            return _mended(base)
    return word.removesuffix("e") if len(word) > 3 else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _mended(base: str) -> str:
    if base[-1] == base[-2] and base[-1] not in "lsz":
        return base[:-1]
    return base


def tokens_of(identifier: str) -> tuple[str, ...]:
    """The tokens of one identifier or word: its parts, and a compound as a whole, too."""
    if len(identifier) > _LONGEST or _is_key(identifier):
        return ()
    words = parts(identifier)
    found = [stemmed for word in words if (stemmed := _token(word))]
    if len(words) > 1 and found:
        found.append("".join(words))
    return tuple(found)


@lru_cache(maxsize=_TOKENS)
def _token(word: str) -> str:
    """The token of a part; "" for one that tells nothing."""
    return "" if word in STOP or (len(word) == 1 and word.isascii()) else stem(word)


def _is_key(word: str) -> bool:
    if word.isdigit():
        return len(word) > 4
    if len(word) < _KEY_LENGTH or max(map(len, word.split("_"))) < _KEY_LENGTH:
        return False
    return any(c.isdigit() for c in word) and any(c.isalpha() for c in word)


def words_in(text: str) -> list[str]:
    """The identifiers, words and numbers of a text, in order."""
    return (_ASCII_WORD if text.isascii() else WORD).findall(text)


_asked = lru_cache(maxsize=2_000)(tokens_of)
"""Words of questions: they are asked again, and stand near each other."""


class Lexicon:
    """Numbers of tokens, given in the order in which they are met and kept for ever.

    Each distinct word is taken apart once; `words` holds the numbers of the tokens of each.
    """

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        self.tokens = list(tokens)
        self.words: list[tuple[int, ...]] = []
        self._numbers = dict(zip(self.tokens, range(len(self.tokens)), strict=True))
        self._known = _Memo(self)
        self.recalled = lru_cache(_RECALLED)(self._recalled)
        """Like `read`, of texts that are read again soon."""

    def number(self, token: str) -> int:
        """The token's number; a new one for a token not met before."""
        found = self._numbers.setdefault(token, len(self.tokens))
        if found == len(self.tokens):
            self.tokens.append(token)
        return found

    def find(self, text: str) -> list[int]:
        """The numbers of the tokens of a text that are known; nothing is learned."""
        return [number for word in words_in(text) for number in self.numbers(word)]

    def numbers(self, word: str) -> list[int]:
        """The numbers of the tokens of one word that are known."""
        return [number for token in _asked(word) if (number := self._numbers.get(token)) is not None]

    def read(self, text: str) -> Iterator[int]:
        """The places in `words` of all words of a text, in order."""
        return map(self._known.__getitem__, words_in(text)) if text else iter(())

    def _recalled(self, text: str) -> tuple[int, ...]:
        return tuple(self.read(text))


class _Memo(dict[str, int]):
    """From a word to its place in the lexicon's words."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self._lexicon = lexicon

    def __missing__(self, word: str) -> int:
        self[word] = place = len(self._lexicon.words)
        self._lexicon.words.append(tuple(map(self._lexicon.number, tokens_of(word))))
        return place
