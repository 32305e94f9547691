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
    counts: NDArray[np.uint8]
    first: int
    size: int


@dataclass(frozen=True, slots=True)
class Lexical:
    """Scores by row, each as a share of what the question could reach."""

    fields: Scores
    """By field and row."""
    together: Scores
    covered: Scores
    """The share of the question, weighted by rarity, that stands anywhere in the row."""
    named: Scores
    """The share of the row's name that the question spells out."""
    asked: NDArray[np.int32]
    """The distinct tokens of the question."""
    found: tuple[Postings, ...]
    """Where they stand, by segment."""

    def standing(self, rows: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
        """By row, which tokens of the question stand in it, each with the first field that it stands in."""
        held: dict[int, list[tuple[int, int]]] = {row: [] for row in rows}
        for one in self.found:
            wanted = np.zeros(one.size, np.bool_)
            wanted[[row - one.first for row in rows if 0 <= row - one.first < one.size]] = True
            places = np.flatnonzero(wanted[one.rows])
            tokens = self.asked[one.owners[places]].tolist()
            fields = (one.counts[places] > 0).argmax(axis=1).tolist()
            in_rows = (one.rows[places] + one.first).tolist()
            for row, token, field in zip(in_rows, tokens, fields, strict=True):
                held[row].append((token, field))
        return held


def lexical(view: View, tokens: Sequence[int]) -> Lexical:
    """Score all rows for the tokens of a question; each counts once."""
    asked, found, rarity = _found(view, tokens)
    parts = [_score(view, one, rarity) for one in found if one.size]
    joined = np.concatenate([np.zeros((len(FIELDS) + 3, 0)), *parts], axis=1)
    shares = (joined[:-1] / _reachable(rarity)).astype(np.float32)
    names = joined[-1] / np.maximum(view.lengths[:, _NAME], 1)
    width = len(FIELDS)
    return Lexical(
        shares[:width], shares[width], shares[width + 1], names.astype(np.float32), asked, tuple(found)
    )


def together(view: View, tokens: Sequence[int]) -> Scores:
    """The same where nothing but the score of all fields together is wanted."""
    _, found, rarity = _found(view, tokens)
    parts = [_together(view, one, rarity) for one in found if one.size]
    shares: Scores = (np.concatenate([np.zeros(0), *parts]) / _reachable(rarity)).astype(np.float32)
    return shares


def _found(view: View, tokens: Sequence[int]) -> tuple[NDArray[np.int32], list[Postings], Reals]:
    """The distinct tokens, where they stand, and how much each tells."""
    asked = np.array(sorted(set(tokens)), np.int32)
    found = [_gather(view, number, asked) for number in range(len(view.segments))]
    return asked, found, _rarity(view, found, len(asked))


def _reachable(rarity: Reals) -> float:
    return max(float(rarity.sum()), 1e-9)


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
    counts = segment.counts[offsets]
    return Postings(rows, owners, counts, view.first_rows[number], len(segment))


def _rarity(view: View, found: Sequence[Postings], asked: int) -> Reals:
    """How much each token tells: the rarer, the more; nothing where it stands nowhere any more."""
    seen = np.zeros(asked)
    for one in found:
        seen += np.bincount(one.owners, minlength=asked)
    return np.where(seen > 0, np.log1p((view.count - seen + 0.5) / (seen + 0.5)), 0.0)


def _score(view: View, found: Postings, rarity: Reals) -> Reals:
    """By row: each field, all together, what is covered, tokens in the name."""
    columns = np.zeros((len(FIELDS) + 3, found.size))
    norms = view.derived(_norms)[0]
    for field in range(len(FIELDS)):
        # Most tokens stand in one field, and nothing is added for the others.
        places = np.flatnonzero(found.counts[:, field])
        rows = found.rows[places]
        counts = found.counts[places, field].astype(np.float32)
        weight = rarity[found.owners[places]]
        scored = _saturated(counts, norms[rows + found.first, field]) * weight
        columns[field, :] = np.bincount(rows, scored, found.size)
        if field == _NAME:
            columns[-1] = np.bincount(rows, minlength=found.size)
    columns[-3] = _together(view, found, rarity)
    columns[-2] = np.bincount(found.rows, rarity[found.owners], found.size)
    return columns


def _together(view: View, found: Postings, rarity: Reals) -> Reals:
    mixed = view.derived(_norms)[1]
    # Not `@`: it warns of numbers that it only read to fill a register.
    counts = (found.counts * _SHARES).sum(axis=1)
    scored = _saturated(counts, mixed[found.rows + found.first])
    summed = np.zeros(found.size)
    summed[:] = np.bincount(found.rows, scored * rarity[found.owners], found.size)
    return summed


def _norms(view: View) -> tuple[Scores, Reals]:
    """How long each field of each row is, as the score counts it, and all fields together."""
    norms: Scores = (1 - _LENGTH + _LENGTH * view.lengths / view.mean_lengths).astype(np.float32, copy=False)
    mixed: Reals = norms @ (_SHARES * view.mean_lengths) / float(_SHARES @ view.mean_lengths)
    return norms, mixed


def _saturated(counts: Scores, norms: Reals | Scores) -> Reals:
    scored: Reals = counts * (_SATURATION + 1) / (counts + _SATURATION * norms)
    return scored
