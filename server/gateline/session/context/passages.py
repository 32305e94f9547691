"""From what was found to what is shown: the text as it is now."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

from gateline.context.packing import tokens_in
from gateline.context.values import Hit, Passage
from gateline.model import Document, Span
from gateline.model.document import digest_of, split_lines
from gateline.session.workspace.reading import with_plain_ends

_MEASURED = 50
"""Texts of which is remembered where lines begin: an answer shows fewer, and each edit is a new one."""
REMEMBERED = 300
"""Texts of files that were found lately: about three megabytes."""


def passages(hits: Sequence[Hit], documents: Mapping[str, Document]) -> list[Passage]:
    """The passages of those hits whose document is given."""
    return [passage(hit, documents[hit.path]) for hit in hits if hit.path in documents]


def passage(hit: Hit, document: Document) -> Passage:
    """What a hit means in a document."""
    text = _lines(document.text, hit.chunk.first, hit.chunk.last)
    shown = with_plain_ends(text).rstrip("\n")
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


@lru_cache(maxsize=_MEASURED)
def _starts(text: str) -> array[int]:
    """Where each line begins, and the end: one question after the other finds something in the same files."""
    return array("L", accumulate(map(len, split_lines(text)), initial=0))
