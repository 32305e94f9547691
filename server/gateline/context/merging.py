"""Several segments as one, without the rows that have been replaced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, compress

import numpy as np

from gateline.context.arrays import Mask, Numbers
from gateline.context.directions import Directions
from gateline.context.rows import Rows
from gateline.context.segment import Names, Segment
from gateline.context.words import Lexicon


def merged(segments: Sequence[Segment], alive: Sequence[Mask]) -> Segment:
    """One segment with the living rows of all, in their order. All share one lexicon."""
    kept = [_living(segment, mask) for segment, mask in zip(segments, alive, strict=True)]
    first_rows = np.cumsum([0, *(len(segment) for segment in kept)])
    first_files = np.cumsum([0, *(len(segment.files) for segment in kept)])
    moved = list(zip(kept, first_rows.tolist(), first_files.tolist(), strict=False))
    tokens = np.concatenate([np.repeat(s.tokens, np.diff(s.starts)) for s in kept])
    docs = np.concatenate([s.docs + row for s, row, _ in moved])
    order = np.argsort(tokens, kind="stable")
    distinct, starts = np.unique(tokens[order], return_index=True)
    return Segment(
        files=tuple(chain.from_iterable(s.files for s in kept)),
        rows=Rows.joined([s.rows for s in kept]),
        file_of=_joined([s.file_of + file for s, _, file in moved]),
        name_of=_joined([s.name_of for s in kept]),
        owner_of=_joined([s.owner_of for s in kept]),
        calls=_joined([s.calls + np.array([row, 0]) for s, row, _ in moved]),
        bases=_joined([s.bases + np.array([row, 0]) for s, row, _ in moved]),
        lengths=np.concatenate([s.lengths for s in kept]),
        tokens=distinct.astype(np.int32),
        starts=np.append(starts, len(order)).astype(np.int32),
        docs=docs[order].astype(np.int32),
        counts=np.concatenate([s.counts for s in kept])[order],
        vectors={tier: stacked(kept, tier) for tier in {t for s in kept for t in s.vectors}},
    )


def renumbered(segment: Segment, lexicon: Lexicon, names: Names) -> tuple[Segment, Lexicon, Names]:
    """The same, with numbers for what it uses alone; who holds the former numbers can go on with them."""
    pairs = (segment.calls[:, 1], segment.bases[:, 1])
    # The first name is that of no owner.
    used = np.unique(np.concatenate([np.zeros(1, np.int32), segment.name_of, segment.owner_of, *pairs]))
    held = replace(
        segment,
        tokens=np.arange(len(segment.tokens), dtype=np.int32),
        name_of=_numbered(used, segment.name_of),
        owner_of=_numbered(used, segment.owner_of),
        calls=_named(used, segment.calls),
        bases=_named(used, segment.bases),
    )
    tokens = [lexicon.tokens[number] for number in segment.tokens.tolist()]
    return held, Lexicon(tokens), Names([names.names[number] for number in used.tolist()])


def _numbered(used: Numbers, numbers: Numbers) -> Numbers:
    return np.searchsorted(used, numbers).astype(np.int32)


def _named(used: Numbers, pairs: Numbers) -> Numbers:
    return np.stack([pairs[:, 0], _numbered(used, pairs[:, 1])], axis=1)


def stacked(segments: Sequence[Segment], tier: str) -> Directions:
    """The vectors of a tier, which at least one segment has."""
    width = next(s.vectors[tier].width for s in segments if tier in s.vectors)
    return Directions.joined([s.vectors.get(tier) or Directions.none(len(s), width) for s in segments])


def _joined(parts: Sequence[Numbers]) -> Numbers:
    return np.concatenate(parts).astype(np.int32)


def _living(segment: Segment, mask: Mask) -> Segment:
    if mask.all():
        return segment
    rows = np.cumsum(mask) - 1
    used = np.zeros(len(segment.files), np.bool_)
    used[segment.file_of[mask]] = True
    files = np.cumsum(used) - 1
    keep = mask[segment.docs]
    owners = np.repeat(segment.tokens, np.diff(segment.starts))[keep]
    distinct, starts = np.unique(owners, return_index=True)
    return replace(
        segment,
        files=tuple(compress(segment.files, used)),
        rows=segment.rows.kept(mask),
        file_of=files[segment.file_of[mask]],
        name_of=segment.name_of[mask],
        owner_of=segment.owner_of[mask],
        calls=_renumbered(segment.calls, mask, rows),
        bases=_renumbered(segment.bases, mask, rows),
        lengths=segment.lengths[mask],
        tokens=distinct.astype(np.int32),
        starts=np.append(starts, len(owners)).astype(np.int32),
        docs=rows[segment.docs[keep]],
        counts=segment.counts[keep],
        vectors={tier: vectors.kept(mask) for tier, vectors in segment.vectors.items()},
    )


def _renumbered(pairs: Numbers, mask: Mask, rows: Numbers) -> Numbers:
    kept = pairs[mask[pairs[:, 0]]]
    return np.stack([rows[kept[:, 0]], kept[:, 1]], axis=1)
