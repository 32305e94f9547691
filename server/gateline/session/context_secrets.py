"""Secrets are left out of what is shown. In which lines one stands is found out once, in idle time.

To import what looks for them takes longer than all else that the first answer needs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import gateline
from gateline.context.values import Answer, Passage
from gateline.session.reading import with_plain_ends

if TYPE_CHECKING:
    from gateline.model import Document

_CUT_OFF = 2
"""Lines of a shortened passage of which the first may be a part: it may hold what the whole line does not."""
Lines = Mapping[int, str]
"""Zero-based lines that hold a secret, each as it may be shown: with a mark in its place."""
Known = Mapping[str, Lines]
"""By path, the lines of texts that were looked through."""


class Text(Protocol):
    """A text of which only the path and the digest are wanted."""

    @property
    def path(self) -> str:
        """Relative to the workspace."""
        ...

    @property
    def digest(self) -> str:
        """Names the content."""
        ...


class Secrets:
    """The lines that hold a secret, of the texts that were looked through. A changed text is another one."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[str, Lines | None]] = {}
        """By path, the digest of a text and its lines; None where it was gone when it was its turn."""
        self._waiting: deque[str] = deque()
        """What was not looked through when all texts were listed last: to list them takes long."""

    @classmethod
    def restored(cls, texts: Mapping[str, Text], known: Known) -> Secrets:
        """What was `known` of texts, by path."""
        secrets = cls()
        secrets._held = {path: (texts[path].digest, lines) for path, lines in known.items()}
        return secrets

    def waiting(self, texts: Mapping[str, Text]) -> int:
        """About how many texts are to be looked through; 0 says that none is."""
        if not self._waiting:
            self._waiting.extend(path for path, text in texts.items() if self._is_new(text))
        return len(self._waiting)

    def turn(self, texts: Mapping[str, Text], most: int) -> list[str]:
        """The paths of those to look through next; none also where what was to be is gone meanwhile."""
        turn: list[str] = []
        for _ in range(self.waiting(texts)):
            text = texts.get(self._waiting.popleft())
            if text is not None and self._is_new(text):
                turn.append(text.path)
            if len(turn) == most:
                break
        return turn

    def look(self, text: Text, document: Document | None) -> None:
        """Look a text through, if it is still what stands there."""
        is_same = document is not None and document.digest == text.digest
        self._held[text.path] = text.digest, holding(document.text) if document and is_same else None

    def known(self, texts: Mapping[str, Text]) -> Known:
        """What is known of texts, by path."""
        found: dict[str, Lines] = {}
        for path, text in texts.items():
            digest, lines = self._held.get(path, ("", None))
            if lines is not None and digest == text.digest:
                found[path] = lines
        return found

    def forget(self, path: str) -> None:
        """A file is gone."""
        self._held.pop(path, None)

    def _is_new(self, text: Text) -> bool:
        return self._held.get(text.path, ("",))[0] != text.digest


def covered(answer: Answer, known: Known) -> Answer:
    """The answer with a mark in place of each secret. What does not fit is not looked at."""
    return replace(answer, passages=tuple(_covered(one, known.get(one.path)) for one in answer.passages))


def holding(text: str) -> Lines:
    """The lines of a text that hold a secret."""
    plain = with_plain_ends(text)
    found = suspects(plain)
    if not found:
        return {}
    from gateline.analyzers.secrets import without_secrets

    lines = plain.split("\n")
    shown = {number: without_secrets(lines[number]) for number in sorted(found)}
    return {number: line for number, line in shown.items() if line != lines[number]}


@lru_cache(maxsize=1)
def rules() -> str:
    """Names what decides which lines hold a secret: what was found by other rules is found out anew."""
    package, theirs = Path(str(gateline.__file__)).parent, find_spec("detect_secrets")
    files = [package / "analyzers" / "secrets.py", Path(__file__)]
    files += [Path(theirs.origin).with_name("__version__.py")] if theirs and theirs.origin else []
    digest = blake2b(digest_size=8)
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _covered(passage: Passage, held: Lines | None) -> Passage:
    lines = passage.text.split("\n")
    if held is None or (passage.shortened and len(lines) <= _CUT_OFF):
        text = _without_secrets(passage.text)
    else:
        # The mark of what was cut off is no line of the file.
        mark = [lines.pop()] if passage.shortened else []
        shown = [held.get(number, line) for number, line in enumerate(lines, passage.span.start.line)]
        text = "\n".join(shown + mark)
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
