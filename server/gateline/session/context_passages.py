"""From what was found to what is shown: the text as it is now, without secrets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gateline.context.packing import tokens_in
from gateline.context.values import Hit, Passage
from gateline.model import Document, Span
from gateline.model.document import digest_of

Read = Callable[[str], Document | None]


def passages(hits: Sequence[Hit], documents: Mapping[str, Document]) -> list[Passage]:
    """The passages of those hits whose document is given."""
    return [passage(hit, documents[hit.path]) for hit in hits if hit.path in documents]


def passage(hit: Hit, document: Document) -> Passage:
    """What a hit means in a document."""
    lines = document.lines[hit.chunk.first : hit.chunk.last + 1]
    text = "".join(lines)
    shown = _without_secrets(lines)
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


def _without_secrets(lines: Sequence[str]) -> str:
    from gateline.analyzers.secrets import without_secrets

    return "".join(without_secrets(line.rstrip("\r\n")) + "\n" for line in lines).rstrip("\n")
