"""Several offers as one: what an editor applies when it is to repair whatever can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gateline.model import Document, Edit, digest_of
from gateline.repairs.edits import apply_all
from gateline.session.repairs.offer import Offer


def together(document: Document, found: Sequence[Offer]) -> tuple[Offer | None, Mapping[str, str]]:
    """One offer for a document, and the text that it leads to.

    Taken are those that are clearly right, of which nothing else was verified, that change this document
    alone, and that do not touch each other.
    """
    taken: list[Offer] = []
    for offer in found:
        is_sure = offer.preferred and offer.alone and offer.digests == ((document.path, document.digest),)
        edits = [edit for one in (*taken, offer) for edit in one.edits]
        if is_sure and not any(_meet(a, b) for n, a in enumerate(edits) for b in edits[:n]):
            taken.append(offer)
    if not taken:
        return None, {}
    every = tuple(edit for offer in taken for edit in offer.edits)
    texts = apply_all({document.path: document.text}, every)
    repaired = tuple((path, digest_of(text)) for path, text in texts.items())
    title = taken[0].title if len(taken) == 1 else f"Repair {len(taken)} errors"
    proof = min(offer.proof for offer in taken)
    pattern = taken[0].pattern if len(taken) == 1 else "several"
    reason = "; ".join(offer.title for offer in taken)
    return Offer(title, pattern, proof, every, True, True, taken[0].digests, repaired, reason), texts


def _meet(one: Edit, other: Edit) -> bool:
    """Whether two edits touch, or stand at the same place."""
    first, last = sorted((one, other), key=lambda edit: (edit.span.start, edit.span.end))
    return first.path == last.path and last.span.start <= first.span.end
