"""From what was found to what is shown: the text as it is now, without secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from gateline.context.packing import tokens_in
from gateline.context.values import Answer, Hit, Passage
from gateline.model import Document, Span
from gateline.model.document import digest_of, split_lines


def passages(hits: Sequence[Hit], documents: Mapping[str, Document]) -> list[Passage]:
    """The passages of those hits whose document is given."""
    return [passage(hit, documents[hit.path]) for hit in hits if hit.path in documents]


def passage(hit: Hit, document: Document) -> Passage:
    """What a hit means in a document."""
    lines = _lines(document.text)[hit.chunk.first : hit.chunk.last + 1]
    text = "".join(lines)
    shown = "".join(line.rstrip("\r\n") + "\n" for line in lines).rstrip("\n")
    last = lines[-1].rstrip("\r\n") if lines else ""
    span = Span.of(hit.chunk.first, 0, hit.chunk.last, len(last))
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


def covered(answer: Answer) -> Answer:
    """The answer with a mark in place of each secret. What does not fit is not looked at."""
    shown = tuple(replace(p, text=_without_secrets(p.text)) for p in answer.passages)
    return replace(answer, passages=shown)


@lru_cache(maxsize=64)
def _lines(text: str) -> tuple[str, ...]:
    """Remembered: one question after the other finds something in the same files."""
    return split_lines(text)


_HINTS = ("-----begin", "api", "auth", "cred", "key", "pass", "pwd", "secret", "token", "contrase")
_RUN = re.compile(r"[A-Za-z0-9+/=_-]{12,}")
_QUOTED = re.compile(r"['\"][^'\"\s]{12,}['\"]")
_LOGIN = re.compile(r"://[^/\s]*:[^/\s]*@")
_DIGIT = re.compile(r"[0-9]")


def is_suspect(line: str) -> bool:
    """Whether a line has what every kind of secret has.

    Most lines have nothing of it, and the analyzer takes a while for each.
    """
    low = line.lower()
    return (
        any(hint in low for hint in _HINTS)
        or any(_DIGIT.search(run) for run in _RUN.findall(line))
        or _QUOTED.search(line) is not None
        or ("://" in line and _LOGIN.search(line) is not None)
    )


def _without_secrets(text: str) -> str:
    from gateline.analyzers.secrets import without_secrets

    return "\n".join(without_secrets(line) if is_suspect(line) else line for line in text.split("\n"))
