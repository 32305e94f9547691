"""From a question to the chunks that matter, each with its reasons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from gateline.context import cursor, features, reasons
from gateline.context.arrays import Mask, Scores
from gateline.context.features import Features
from gateline.context.fusion import Weights
from gateline.context.reasons import Told
from gateline.context.static import TIER as STATIC
from gateline.context.static import StaticTable
from gateline.context.values import Hit, Question
from gateline.context.view import View

SEMANTIC = "semantic"

Weigh = Callable[[frozenset[str]], Mapping[str, float]]
"""Gives the weights for the tiers of vectors that take part."""
Vector = Callable[[], Scores | None]
"""Gives the question's vector, if a transformer made one in time. Asked for last: it is made meanwhile."""


def without_vector() -> None:
    """For a question that has none."""


@dataclass(frozen=True)
class Ranker:
    """What turns questions into rankings: the weights, and the table of vectors if there is one."""

    weights: Weights
    table: StaticTable | None = None


@dataclass(frozen=True)
class Found:
    """The rows, the best first, and which tiers took part."""

    rows: Sequence[int]
    scores: Scores
    """Of all rows."""
    tiers: tuple[str, ...]
    told: Told

    @cached_property
    def columns(self) -> Mapping[str, Scores]:
        """The features of all rows."""
        return self.told.features.apart()


def search(view: View, question: Question, ranker: Ranker, vector: Vector = without_vector) -> list[Hit]:
    """The best chunks for a question."""
    found = ranked(view, question, ranker, vector)
    return hits(view, found, found.rows[: question.limit])


def ranked(
    view: View,
    question: Question,
    ranker: Ranker,
    vector: Vector = without_vector,
    focus: int | None = None,
) -> Found:
    """All rows that fit at all, in order."""
    mode = mode_of(question)
    tokens = view.lexicon.find(question.text)
    made = (
        features.of_cursor(view, question, tokens, focus)
        if mode != "words"
        else features.of_words(view, question, tokens)
    )
    weigh = partial(ranker.weights.of, mode, want=question.want)
    summed = _summed(
        replace(made, columns={**made.columns, **_of_table(view, question, ranker)}), weigh, vector
    )
    near = {tier: summed.features.columns[tier] for tier in features.TIERS if tier in summed.features.columns}
    most = max(_DEEPEST, 2 * question.limit)
    rows = _order(view, summed.scores, _worth(made.columns, near) & view.living, most)
    told = Told(summed.features, summed.weights, summed.worded, reasons.spelled(view, question.text))
    return Found(rows, summed.scores, ("symbols", "lexical", *near), told)


def mode_of(question: Question) -> str:
    """Which set of weights a question wants: words, code, or code with a hole."""
    if cursor.HOLE in question.text:
        return "hole"
    return "cursor" if question.has_place or cursor.is_code(question.text) else "words"


def _of_table(view: View, question: Question, ranker: Ranker) -> dict[str, Scores]:
    """The tier of the table, if both sides have their vectors."""
    if ranker.table is None or not view.has_vectors(STATIC):
        return {}
    asked = ranker.table.question(question.text)
    return {} if asked is None else {STATIC: view.similar(STATIC, asked)}


@dataclass(frozen=True)
class _Sum:
    """The score of each row, and what it was made from."""

    features: Features
    weights: Mapping[str, float]
    worded: Scores
    scores: Scores

    @classmethod
    def of(cls, features: Features, weights: Mapping[str, float]) -> _Sum:
        worded = features.worded(weights)
        return cls(features, weights, worded, features.scored(weights, worded))

    def with_semantic(self, similar: Scores) -> _Sum:
        """The same with one more column, as its weights are for."""
        whole = replace(self.features, columns={**self.features.columns, SEMANTIC: similar})
        added = whole.added((SEMANTIC,), self.weights)
        return replace(self, features=whole, scores=self.scores + added)


def _summed(features: Features, weigh: Weigh, vector: Vector) -> _Sum:
    """With the transformer if its vector is there in time. All else is added up while that is made."""
    view = features.view
    there = frozenset({STATIC} & features.columns.keys())
    if vector is not without_vector and view.has_vectors(SEMANTIC):
        hoped = _Sum.of(features, weigh(there | {SEMANTIC}))
        if (asked := vector()) is not None:
            return hoped.with_semantic(view.similar(SEMANTIC, asked))
    return _Sum.of(features, weigh(there))


def _worth(columns: Mapping[str, Scores], near: Mapping[str, Scores]) -> Mask:
    """Rows about which anything speaks: all others are left out, whatever their priors are."""
    spoken = [columns["covered"] > 0, columns["identified"] > 0]
    spoken += [
        columns[name] > 0 for name in ("called", "in-sight", "own", "in-module", "made") if name in columns
    ]
    spoken += [similar > np.float32(0.2) for similar in near.values()]
    found: Mask = np.logical_or.reduce(spoken)
    return found


def _order(view: View, scores: Scores, mask: Mask, most: int) -> list[int]:
    """Rows by score; equal ones by path and line, so that the order never depends on how rows came here."""
    rows = np.flatnonzero(mask)
    if len(rows) > most:
        # All that are as good as the last one that counts: which of them do is told by their places.
        worth = scores[rows]
        least = round(float(np.partition(worth, -most)[-most]), _DIGITS)
        rows = rows[worth >= least - _TOLD]
        rows = rows[np.round(scores[rows].astype(np.float64), _DIGITS) >= least]
    firsts = view.lines[rows, 0].tolist()
    keys = [
        (-round(score, _DIGITS), view.path(row), first, row)
        for score, first, row in zip(scores[rows].tolist(), firsts, rows.tolist(), strict=True)
    ]
    return [row for *_, row in sorted(keys)[:most]]


_DIGITS = 3
"""Of a score. In the last digits of a sum it shows in which order rows came here; these tell nothing."""
_TOLD = 10.0**-_DIGITS
_DEEPEST = 60
"""Rows that are put into order at least."""


def hits(view: View, found: Found, rows: Sequence[int]) -> list[Hit]:
    """Rows as results."""
    files = [view.row_files[number] for number in view.file_of[list(rows)].tolist()]
    scores = found.scores[list(rows)].tolist()
    whys = reasons.of(view, rows, found.told)
    return [
        Hit(file.path, view.chunk(row), round(score, 4), why, file.digest)
        for row, file, score, why in zip(rows, files, scores, whys, strict=True)
    ]
