"""How two notes compare: what a decision about them is made of.

Notes that share most of their words in the same order, but for the word that names their subject, look alike
to any measure of words or meaning. So both are laid side by side, and what was replaced is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from math import log
from typing import Protocol

import numpy as np

from gateline.context.arrays import Scores
from gateline.context.words import stem
from gateline.memory.wording import Wording, read, tells

SEMANTIC, STATIC = "semantic", "static"
"""The tiers that make vectors: the sentence transformer, and the table."""
_LEAST = 0.5
"""What a word says at least, where a table does not know it."""
_NO_FACTS = 0.5
"""What two texts without facts have in common of them: nobody knows."""
_NEAR = 0.6
"""A cosine below which each step away counts: most notes have nothing to do with each other."""
_KEPT = 256
"""Texts that are kept as they were read: lessons near a note are compared again with the next one."""


class Lexicon(Protocol):
    """Knows what single words mean."""

    def __call__(self, word: str) -> Scores:
        """A vector of a word, longer for a word that tells more."""
        ...


def no_meaning(word: str) -> Scores:
    """A lexicon that knows no word."""
    return np.zeros(1, np.float32)


@dataclass(frozen=True, slots=True)
class Read:
    """A text with the meaning of its words."""

    wording: Wording
    stems: frozenset[str]
    """Of the words that tell something."""
    directions: Scores
    """A row for each of them, of length 1 where the word is known."""
    weights: Scores
    """How much each of them says."""


class Comparing:
    """Compares notes by their words, by what the words mean, and by the cosines of their vectors."""

    def __init__(self, lexicon: Lexicon = no_meaning) -> None:
        self._lexicon = lexicon
        self._read = lru_cache(_KEPT)(self._read_anew)

    def features(self, new: str, old: str, cosines: Mapping[str, float]) -> dict[str, float]:
        """What tells whether `new` is about the subject of `old`, by name.

        `cosines` are those of the vectors that some tiers made of both.
        """
        mine, theirs = self._read(new), self._read(old)
        facts, others = mine.wording.facts, theirs.wording.facts
        names, known = mine.wording.names, theirs.wording.names
        shared = _share(mine.stems, theirs.stems)
        ratio, replaced = self._side_by_side(mine.wording, theirs.wording)
        meaning = cosines.get(SEMANTIC, cosines.get(STATIC, shared))
        shorter = log(max(1, len(mine.wording.words)) / max(1, len(theirs.wording.words)))
        return {
            **cosines,
            "shared words": shared,
            "old words kept": _kept(theirs, mine),
            "new words known": _kept(mine, theirs),
            "far": max(0.0, _NEAR - meaning),
            "shared facts": _share(facts, others) if facts | others else _NO_FACTS,
            "facts replaced": float(bool(names - known) and bool(known - names)),
            "shorter": min(0.0, shorter),
            "same order": ratio,
            "word replaced": ratio * replaced,
            "same in other words": meaning * (1 - ratio),
        }

    def _side_by_side(self, mine: Wording, theirs: Wording) -> tuple[float, float]:
        """The share of words in the same order, and how much the largest replacement changes, 0–1.

        A number in the place of another is a newer value, and changes nothing.
        """
        compared = SequenceMatcher(None, mine.stems, theirs.stems, autojunk=False)
        changed = 0.0
        for operation, a, b, c, d in compared.get_opcodes():
            new, old = self._meaning(mine.said[a:b]), self._meaning(theirs.said[c:d])
            if operation == "replace" and new is not None and old is not None:
                changed = max(changed, 1.0 - max(0.0, float(_direction(new) @ _direction(old))))
        return compared.ratio(), changed

    def _meaning(self, words: Sequence[str]) -> Scores | None:
        """What words say together; None where none of them names something."""
        telling = [self._lexicon(word) for word in words if tells(word)]
        made: Scores | None = np.sum(telling, axis=0) if telling else None
        return made

    def _read_anew(self, text: str) -> Read:
        wording = read(text)
        vectors = [self._lexicon(word) for word in wording.words] or [self._lexicon("")]
        matrix = np.stack(vectors)
        lengths = np.linalg.norm(matrix, axis=1)
        directions = matrix / np.maximum(lengths, 1e-9)[:, None]
        return Read(wording, frozenset(map(stem, wording.words)), directions, np.maximum(lengths, _LEAST))


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def _kept(old: Read, new: Read) -> float:
    """How much of an old text a new one says too, 0–1: each word by the one that is nearest to it."""
    if not old.wording.words or not new.wording.words:
        return 0.0
    near = np.maximum((old.directions @ new.directions.T).max(axis=1), 0.0)
    same = np.array([stem(word) in new.stems for word in old.wording.words])
    return float((np.where(same, 1.0, near) * old.weights).sum() / old.weights.sum())


def _direction(vector: Scores) -> Scores:
    made: Scores = vector / np.float32(max(float(np.linalg.norm(vector)), 1e-9))
    return made
