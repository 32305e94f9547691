"""How well the words of a question fit each row: BM25 for each field, and for all together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gateline.context.segment import FIELDS, Scores, Segment
from gateline.context.view import View

_SATURATION = 2.0
"""Called k1: how long more occurrences of a word count."""
_LENGTH = 0.75
"""Called b: how much long fields are discounted."""
_SHARES = np.array([5.0, 2.0, 1.0, 1.0, 1.0], np.float32)
"""What an occurrence in each field counts where all are taken together."""
_NAME = FIELDS.index("name")

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Postings:
    """The postings of a question in one segment: row, question's token, counts by field."""

    rows: NDArray[np.int64]
    owners: NDArray[np.int64]
    counts: Scores
    first: int
    size: int


@dataclass(frozen=True, slots=True)
class Lexical:
    """Scores by row, each as a share of what the question could reach."""

    fields: Scores
    """By row and field."""
    together: Scores
    covered: Scores
    """The share of the question, weighted by rarity, that stands anywhere in the row."""
    named: Scores
    """The share of the row's name that the question spells out."""
    asked: NDArray[np.int32]
    """The distinct tokens of the question."""
    found: tuple[Postings, ...]
    """Where they stand, by segment."""

    def standing(self, row: int) -> list[tuple[int, int]]:
        """Which tokens of the question stand in a row, each with the first field that it stands in."""
        one = next(p for p in reversed(self.found) if p.first <= row)
        places = np.flatnonzero(one.rows == row - one.first)
        fields = (one.counts[places] > 0).argmax(axis=1)
        return list(zip(self.asked[one.owners[places]].tolist(), fields.tolist(), strict=True))


def lexical(view: View, tokens: Sequence[int]) -> Lexical:
    """Score all rows for the tokens of a question; each counts once."""
    asked = np.array(sorted(set(tokens)), np.int32)
    found = [_gather(view, number, asked) for number in range(len(view.segments))]
    rarity = _rarity(view, found, len(asked))
    total = max(float(rarity.sum()), 1e-9)
    parts = [_score(view, one, rarity) for one in found if one.size]
    joined = np.concatenate([*parts, np.zeros((0, len(FIELDS) + 3))])
    shares = (joined[:, :-1] / total).astype(np.float32)
    names = joined[:, -1] / np.maximum(view.lengths[:, _NAME], 1) if len(joined) else joined[:, -1]
    width = len(FIELDS)
    return Lexical(
        shares[:, :width],
        shares[:, width],
        shares[:, width + 1],
        names.astype(np.float32),
        asked,
        tuple(found),
    )


def _gather(view: View, number: int, asked: NDArray[np.int32]) -> Postings:
    segment: Segment = view.segments[number]
    places = np.searchsorted(segment.tokens, asked)
    known = np.flatnonzero(places < len(segment.tokens))
    known = known[segment.tokens[places[known]] == asked[known]]
    starts = segment.starts[places[known]].astype(np.int64)
    sizes = segment.starts[places[known] + 1] - starts
    # The places of all postings, without a loop over the tokens.
    ends = np.cumsum(sizes)
    offsets = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(starts - (ends - sizes), sizes)
    rows, owners = segment.docs[offsets].astype(np.int64), np.repeat(known, sizes)
    alive = view.alive[number]
    if not alive.all():
        living = alive[rows]
        rows, owners, offsets = rows[living], owners[living], offsets[living]
    counts = segment.counts[offsets].astype(np.float32)
    return Postings(rows, owners, counts, view.first_rows[number], len(segment))


def _rarity(view: View, found: Sequence[Postings], asked: int) -> Reals:
    """How much each token tells: the rarer, the more; nothing where it stands nowhere any more."""
    seen = np.zeros(asked)
    for one in found:
        seen += np.bincount(one.owners, minlength=asked)
    return np.where(seen > 0, np.log1p((view.count - seen + 0.5) / (seen + 0.5)), 0.0)


def _score(view: View, found: Postings, rarity: Reals) -> Reals:
    """By row: each field, all together, what is covered, tokens in the name."""
    weight = rarity[found.owners]
    lengths = view.lengths[found.first : found.first + found.size]
    norms = 1 - _LENGTH + _LENGTH * lengths / view.mean_lengths
    columns = [
        np.bincount(found.rows, _saturated(found.counts[:, f], norms[found.rows, f]) * weight, found.size)
        for f in range(len(FIELDS))
    ]
    mixed = norms @ (_SHARES * view.mean_lengths) / float(_SHARES @ view.mean_lengths)
    # Not `@`: it warns of numbers that it only read to fill a register.
    together = _saturated((found.counts * _SHARES).sum(axis=1), mixed[found.rows])
    columns.append(np.bincount(found.rows, together * weight, found.size))
    columns.append(np.bincount(found.rows, weight, found.size))
    columns.append(np.bincount(found.rows, found.counts[:, _NAME] > 0, found.size))
    return np.stack(columns, axis=1)


def _saturated(counts: Scores, norms: Reals | Scores) -> Reals:
    scored: Reals = counts * (_SATURATION + 1) / (counts + _SATURATION * norms)
    return scored
