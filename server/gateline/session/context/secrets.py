"""Secrets are left out of what is shown. In which lines one stands is found out once, in idle time.

To import what looks for them takes longer than all else that the first answer needs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import gateline
from gateline.context.values import Answer, Passage
from gateline.security.suspects import suspects
from gateline.session.workspace.reading import with_plain_ends

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
    return _shown(plain.split("\n"), suspects(plain))


def redacted(text: str) -> str:
    """A text with a mark in place of each secret."""
    return _without_secrets(with_plain_ends(text))


@lru_cache(maxsize=1)
def rules() -> str:
    """Names what decides which lines hold a secret: what was found by other rules is found out anew."""
    package, theirs = Path(str(gateline.__file__)).parent, find_spec("detect_secrets")
    files = [*sorted((package / "security").glob("*.py")), Path(__file__)]
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


@lru_cache(maxsize=1_000)
def _without_secrets(text: str) -> str:
    """Remembered: one question after the other finds the same passages."""
    lines = text.split("\n")
    shown = _shown(lines, suspects(text))
    return "\n".join(shown.get(number, line) for number, line in enumerate(lines)) if shown else text


def _shown(lines: list[str], suspected: set[int]) -> Lines:
    """The lines that hold a secret, without it. Of a private key all lines do."""
    if not suspected:
        return {}
    from gateline.security.hits import without_secrets
    from gateline.security.private_keys import private_keys

    shown = {number: without_secrets(lines[number]) for number in sorted(suspected)}
    for key in private_keys(lines):
        shown |= dict.fromkeys(range(key.first, key.last + 1), "…")
        shown[key.first] = lines[key.first][: key.start] + "…"
    return {number: line for number, line in sorted(shown.items()) if line != lines[number]}
