"""Why a chunk was found, in a few words that a person can check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gateline.context.index import View
from gateline.context.segment import FIELDS, Scores

_PHRASES = {
    "called": "called here",
    "in-scope": "called here",
    "reachable": "in reach here",
    "imported-name": "imported by name",
    "identified": "named in the question",
    "same-file": "in the same file",
    "same-class": "in the same class",
    "imported-file": "in a file that is imported here",
    "static": "similar in meaning",
    "semantic": "similar in meaning",
}
_PLACES = {"name": "name", "owner": "class", "path": "path", "docstring": "docstring", "body": "text"}
_MOST_WORDS = 4
_MOST = 4
_LEAST = 0.05
"""Of the largest share: smaller ones are no reason."""


def of(
    view: View, row: int, columns: Mapping[str, Scores], weights: Mapping[str, float], tokens: Sequence[int]
) -> tuple[str, ...]:
    """The reasons, the weightiest first."""
    shares = {
        name: weights.get(name, 0.0) * float(columns[name][row]) for name in columns if name in _PHRASES
    }
    words = words_in(view, row, tokens)
    lexical = sum(
        weights.get(name, 0.0) * float(columns[name][row])
        for name in (*FIELDS, "together", "covered", "named")
    )
    phrases = [(share, _PHRASES[name]) for name, share in shares.items()]
    phrases += [(lexical, phrase) for phrase in words]
    most = max((share for share, _ in phrases), default=0.0)
    ordered = sorted(phrases, key=lambda pair: -pair[0])
    told = (phrase for share, phrase in ordered if share > 0 and share >= _LEAST * most)
    return tuple(dict.fromkeys(told))[:_MOST]


def words_in(view: View, row: int, tokens: Sequence[int]) -> list[str]:
    """In which fields of a row which words of the question stand."""
    number = next(n for n, end in enumerate(view.first_rows[1:]) if row < end)
    segment, local = view.segments[number], row - view.first_rows[number]
    held: dict[str, list[str]] = {}
    for token in dict.fromkeys(tokens):
        place = int(np.searchsorted(segment.tokens, token))
        if place == len(segment.tokens) or segment.tokens[place] != token:
            continue
        start, end = segment.starts[place], segment.starts[place + 1]
        at = start + int(np.searchsorted(segment.docs[start:end], local))
        if at < end and segment.docs[at] == local:
            field = FIELDS[int(np.flatnonzero(segment.counts[at])[0])]
            held.setdefault(field, []).append(view.lexicon.tokens[token])
    return [f"{_PLACES[f]} has {', '.join(held[f][:_MOST_WORDS])}" for f in FIELDS if f in held]
