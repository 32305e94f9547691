"""How well the words of a question fit each row: BM25 for each field, and for all together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gateline.context.arrays import Scores
from gateline.context.segment import FIELDS
from gateline.context.view import View

_SATURATION = 2.0
"""Called k1: how long more occurrences of a word count."""
_LENGTH = 0.75
"""Called b: how much long fields are discounted."""
_SHARES = np.array([5.0, 2.0, 1.0, 1.0, 1.0], np.float32)
"""What an occurrence in each field counts where all are taken together."""
_NAME = FIELDS.index("name")
_WIDTH = len(FIELDS)

Reals = NDArray[np.float64]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where the tokens of a question stand: row, question's token, counts by field."""

    rows: Places
    owners: Places
    counts: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Cells:
    """The same field by field: what each occurrence adds to its row."""

    rows: Places
    fields: Places
    shares: Reals
    named: Reals
    """Of those in names, the share of the name; 0 elsewhere."""


@dataclass(frozen=True, slots=True)
class Lexical:
    """Scores by row, each as a share of what the question could reach."""

    together: Scores
    covered: Scores
    """The share of the question, weighted by rarity, that stands anywhere in the row."""
    asked: NDArray[np.int32]
    """The distinct tokens of the question."""
    found: Postings
    cells: Cells

    def weighed(self, weights: Mapping[str, float]) -> Scores:
        """The weighted sum of all fields, and of what is `named`, by row."""
        by_field = np.array([weights.get(name, 0.0) for name in FIELDS])
        cells = self.cells
        each = cells.shares * by_field[cells.fields] + cells.named * weights.get("named", 0.0)
        return self._by_row(cells.rows, each)

    def apart(self) -> dict[str, Scores]:
        """Each field by itself; of `named`, the share of the row's name that the question spells out."""
        cells = self.cells
        found = {
            name: self._by_row(cells.rows, cells.shares * (cells.fields == number))
            for number, name in enumerate(FIELDS)
        }
        return {**found, "named": self._by_row(cells.rows, cells.named)}

    def standing(self, rows: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
        """By row, which tokens of the question stand in it, each with the first field that it stands in."""
        held: dict[int, list[tuple[int, int]]] = {row: [] for row in rows}
        wanted = np.zeros(len(self.together), np.bool_)
        wanted[list(rows)] = True
        places = np.flatnonzero(wanted[self.found.rows])
        tokens = self.asked[self.found.owners[places]].tolist()
        fields = (self.found.counts[places] > 0).argmax(axis=1).tolist()
        for row, token, field in zip(self.found.rows[places].tolist(), tokens, fields, strict=True):
            held[row].append((token, field))
        return held

    def _by_row(self, rows: Places, each: Reals) -> Scores:
        return _summed(rows, each, len(self.together))


def lexical(view: View, tokens: Sequence[int]) -> Lexical:
    """Score all rows for the tokens of a question; each counts once."""
    asked, found = _found(view, tokens)
    tells = _telling(view, found, len(asked))[found.owners]
    mixed = _together(view, found, tells)
    covered = _summed(found.rows, tells, len(view))
    return Lexical(mixed, covered, asked, found, _cells(view, found, tells))


def together(view: View, tokens: Sequence[int]) -> Scores:
    """The same where nothing but the score of all fields together is wanted."""
    asked, found = _found(view, tokens)
    return _together(view, found, _telling(view, found, len(asked))[found.owners])


def _found(view: View, tokens: Sequence[int]) -> tuple[NDArray[np.int32], Postings]:
    """The distinct tokens, and where they stand."""
    asked = np.array(sorted(set(tokens)), np.int32)
    parts = [_gather(view, number, asked) for number in range(len(view.segments))]
    if len(parts) == 1:
        return asked, parts[0]
    rows = np.concatenate([np.zeros(0, np.int64), *(part.rows for part in parts)])
    owners = np.concatenate([np.zeros(0, np.int64), *(part.owners for part in parts)])
    counts = np.concatenate([np.zeros((0, _WIDTH), np.uint8), *(part.counts for part in parts)])
    return asked, Postings(rows, owners, counts)


def _gather(view: View, number: int, asked: NDArray[np.int32]) -> Postings:
    segment = view.segments[number]
    places = np.searchsorted(segment.tokens, asked)
    known = np.flatnonzero(places < len(segment.tokens))
    known = known[segment.tokens[places[known]] == asked[known]]
    starts = segment.starts[places[known]].astype(np.int64)
    sizes = segment.starts[places[known] + 1] - starts
    # The places of all postings, without a loop over the tokens.
    ends = np.cumsum(sizes)
    offsets = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(starts - (ends - sizes), sizes)
    rows, owners = segment.docs.take(offsets).astype(np.int64), np.repeat(known, sizes)
    alive = view.alive[number]
    if not alive.all():
        living = alive[rows]
        rows, owners, offsets = rows[living], owners[living], offsets[living]
    return Postings(rows + view.first_rows[number], owners, segment.counts.take(offsets, axis=0))


def _telling(view: View, found: Postings, asked: int) -> Reals:
    """How much each token tells, as a share of all: the rarer, the more; one that stands nowhere, nothing."""
    seen = np.bincount(found.owners, minlength=asked)
    rarity = np.where(seen > 0, np.log1p((view.count - seen + 0.5) / (seen + 0.5)), 0.0)
    return rarity / max(float(rarity.sum()), 1e-9)


def _together(view: View, found: Postings, tells: Reals) -> Scores:
    mixed = view.derived(_norms)[1]
    # numpy warns of numbers that a product only read to fill a register.
    with np.errstate(all="ignore"):
        counts = found.counts.astype(np.float32) @ _SHARES
    return _summed(found.rows, _saturated(counts, mixed.take(found.rows)) * tells, len(view))


def _cells(view: View, found: Postings, tells: Reals) -> Cells:
    """Most tokens stand in one field of a row, and there is nothing for the others."""
    counts = found.counts.ravel()
    places = np.flatnonzero(counts)
    posts = places // _WIDTH
    fields = places - _WIDTH * posts
    rows = found.rows.take(posts)
    norms = view.derived(_norms)[0].take(_WIDTH * rows + fields)
    shares = _saturated(counts.take(places).astype(np.float32), norms) * tells.take(posts)
    names = view.derived(_name_shares).take(rows)
    return Cells(rows, fields, shares, np.where(fields == _NAME, names, 0.0))


def _summed(rows: Places, each: Reals, size: int) -> Scores:
    return np.bincount(rows, each, size).astype(np.float32)


def _norms(view: View) -> tuple[Scores, Reals]:
    """How long each field of each row is, as the score counts it, and all fields together."""
    norms: Scores = (1 - _LENGTH + _LENGTH * view.lengths / view.mean_lengths).astype(np.float32, copy=False)
    mixed: Reals = norms @ (_SHARES * view.mean_lengths) / float(_SHARES @ view.mean_lengths)
    return norms.reshape(-1), mixed


def _name_shares(view: View) -> Reals:
    """What share of each row's name one token is."""
    found: Reals = 1 / np.maximum(view.lengths[:, _NAME], 1.0)
    return found


def _saturated(counts: Scores, norms: Reals | Scores) -> Reals:
    scored: Reals = counts * (_SATURATION + 1) / (counts + _SATURATION * norms)
    return scored
