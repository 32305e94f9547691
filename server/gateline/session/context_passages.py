"""From what was found to what is shown: the text as it is now, without secrets."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate

from gateline.context.packing import tokens_in
from gateline.context.values import Answer, Hit, Passage
from gateline.model import Document, Span
from gateline.model.document import digest_of, split_lines

REMEMBERED = 300
"""Texts of files that were found lately: about three megabytes."""


def passages(hits: Sequence[Hit], documents: Mapping[str, Document]) -> list[Passage]:
    """The passages of those hits whose document is given."""
    return [passage(hit, documents[hit.path]) for hit in hits if hit.path in documents]


def passage(hit: Hit, document: Document) -> Passage:
    """What a hit means in a document."""
    text = _lines(document.text, hit.chunk.first, hit.chunk.last)
    shown = _with_plain_ends(text).rstrip("\n")
    last = text.removesuffix("\n").removesuffix("\r")
    width = len(last) - max(last.rfind("\n"), last.rfind("\r")) - 1
    span = Span.of(hit.chunk.first, 0, hit.chunk.last, width)
    return Passage(
        hit.path,
        hit.chunk.kind,
        hit.chunk.name,
        span,
        shown,
        hit.score,
        hit.why,
        digest_of(text),
        tokens_in(shown),
    )


def _lines(text: str, first: int, last: int) -> str:
    """Some lines of a text, with their ends."""
    starts = _starts(text)
    start, end = (starts[min(line, len(starts) - 1)] for line in (first, last + 1))
    return text[start:end]


@lru_cache(maxsize=REMEMBERED)
def _starts(text: str) -> array[int]:
    """Where each line begins, and the end: one question after the other finds something in the same files."""
    return array("L", accumulate(map(len, split_lines(text)), initial=0))


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def covered(answer: Answer) -> Answer:
    """The answer with a mark in place of each secret. What does not fit is not looked at."""
    return replace(answer, passages=tuple(map(_covered, answer.passages)))


def _covered(passage: Passage) -> Passage:
    text = _without_secrets(passage.text)
    return passage if text == passage.text else replace(passage, text=text)


_NAMES = ("api", "auth", "cred", "key", "pass", "pwd", "secret", "token", "contrase")
"""What is in the name of a secret: its value stands between quotes, or is long."""
_MARKS = ("-----begin", "private key", "putty-", "_authtoken", "eyj", "xox", "hooks.slack", "cloudant")
"""What tells a secret by itself."""
_VALUE = re.compile(r"['\"`]|[A-Za-z0-9+/=_-]{24}")
_RUN = re.compile(r"[A-Za-z0-9+/=_-]{20,}")
_BRAND = re.compile(
    r"(?<![a-zA-Z0-9])(?:A(?:KC|P[\dA-F])[a-zA-Z0-9]{8}|(?:A3T|ABIA|ACCA|AKIA|ASIA)[A-Z0-9]{16}"
    r"|gh[pousr]_|gl[a-z]{2,6}-|[rs]k_live_|SG\.|pypi-)"
)
"""How tokens begin that may be without any digit."""
_QUOTED = re.compile(r"['\"](?:[A-Za-z0-9+/=_-]{20,}|[0-9A-Fa-f]{9,})['\"]")
"""What may look random: of fewer characters none does."""
_LOGIN = re.compile(r"://[^/\s]*:[^/\s]*@")
_DIGIT = re.compile(r"[0-9]")
_END = re.compile(r"\n")


def suspects(text: str) -> set[int]:
    """The lines of a text that have what every kind of secret has.

    Most lines have nothing of it, and the analyzer takes a while for each. The whole text is searched at
    once: to look at one line after the other takes much longer.
    """
    low = text.lower()
    if len(low) != len(text):
        # Of a few letters the small form is two characters; places are to be the same.
        low = "".join(one.lower()[0] for one in text)
    places = [place for mark in _MARKS for place in _places(low, mark)]
    places += [run.start() for run in _RUN.finditer(text) if _DIGIT.search(run[0])]
    places += [found.start() for pattern in (_BRAND, _QUOTED, _LOGIN) for found in pattern.finditer(text)]
    starts = [0, *(end.end() for end in _END.finditer(text)), len(text) + 1]
    found = {bisect_right(starts, place) - 1 for place in places}
    named = {bisect_right(starts, place) - 1 for name in _NAMES for place in _places(low, name)}
    return found | {n for n in named - found if _VALUE.search(text, starts[n], starts[n + 1])}


def _places(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)


@lru_cache(maxsize=1_000)
def _without_secrets(text: str) -> str:
    """Remembered: one question after the other finds the same passages."""
    found = suspects(text)
    if not found:
        return text
    from gateline.analyzers.secrets import without_secrets

    lines = text.split("\n")
    return "\n".join(without_secrets(line) if number in found else line for number, line in enumerate(lines))
