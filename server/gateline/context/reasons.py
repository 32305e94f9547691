"""Why a chunk was found, in a few words that a person can check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from gateline.context.arrays import Scores
from gateline.context.features import Features
from gateline.context.segment import FIELDS
from gateline.context.view import View
from gateline.context.words import words_in

_PHRASES = {
    "called": "called here",
    "in-scope": "called here",
    "in-sight": "in scope here",
    "own": "in the enclosing class",
    "in-module": "in a module imported here",
    "made": "of the type of a variable here",
    "imported-name": "imported by name",
    "identified": "named in the question",
    "called-nearby-in-sight": "called in the same file",
    "same-file": "in the same file",
    "same-class": "in the same class",
    "imported-file": "in a file imported here",
    "static": "similar in meaning",
    "semantic": "similar in meaning",
}
_PLACES = {"name": "name", "owner": "class", "path": "path", "docstring": "docstring", "body": "text"}
_MOST_WORDS = 4
_MOST = 4
_LEAST = 0.05
"""Of the largest share: smaller ones are no reason."""


@dataclass(frozen=True)
class Told:
    """What a ranking was made from."""

    features: Features
    weights: Mapping[str, float]
    worded: Scores
    """What words added to the score of each row."""
    words: Mapping[int, str]
    """By token the word of the question."""


def of(view: View, rows: Sequence[int], told: Told) -> list[tuple[str, ...]]:
    """The reasons for each row, the weightiest first."""
    at = list(rows)
    phrases = _phrases(at, told)
    lexical = told.worded[at].tolist()
    places = {token: number for number, token in enumerate(told.words)}
    standing = told.features.lexical.standing(at)
    return [
        _ordered(
            phrases[n],
            lexical[n],
            _words(view, sorted(standing[row], key=lambda one: places.get(one[0], 0)), told.words),
        )
        for n, row in enumerate(at)
    ]


def _phrases(rows: list[int], told: Told) -> list[list[tuple[float, str]]]:
    """By row, what features say that add to its score, and how much; most say nothing of most rows."""
    found: list[list[tuple[float, str]]] = [[] for _ in rows]
    for name, column in told.features.columns.items():
        weight = told.weights.get(name, 0.0)
        if name in _PHRASES and weight:
            shares = weight * column[rows].astype(np.float64)
            speaking = np.flatnonzero(shares > 0).tolist()
            for n, share in zip(speaking, shares[speaking].tolist(), strict=True):
                found[n].append((share, _PHRASES[name]))
    return found


def _ordered(phrases: list[tuple[float, str]], lexical: float, words: Sequence[str]) -> tuple[str, ...]:
    """What counts most first, without what hardly counts."""
    spoken = [*phrases, *((lexical, phrase) for phrase in words if lexical > 0)]
    spoken.sort(key=_share, reverse=True)
    least = _LEAST * spoken[0][0] if spoken else 0.0
    return tuple(dict.fromkeys(phrase for share, phrase in spoken if share >= least))[:_MOST]


_share = itemgetter(0)


def _words(view: View, standing: Iterable[tuple[int, int]], spelled: Mapping[int, str]) -> list[str]:
    """In which fields of a row which words of the question stand."""
    held: dict[int, list[str]] = {}
    for token, place in standing:
        held.setdefault(place, []).append(spelled.get(token, view.lexicon.tokens[token]))
    return [
        f"{_PLACES[FIELDS[n]]} has {', '.join(list(dict.fromkeys(held[n]))[:_MOST_WORDS])}"
        for n in sorted(held)
    ]


def spelled(view: View, text: str) -> dict[int, str]:
    """By token the word of a question as it was written."""
    pairs = ((token, word) for word in words_in(text) for token in view.lexicon.numbers(word))
    return dict(pairs)
