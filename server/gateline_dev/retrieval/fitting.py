"""Fits the weights of the fusion: the answer is to stand before whatever else is found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gateline.context import features
from gateline.context.arrays import Scores
from gateline.context.search import Found
from gateline_dev.retrieval.measures import Measured, measured

_DEEP = 40
"""Rows of each ranking that stand against the answer."""
_DECAY = 2e-4
_STEPS, _RATE = 150, 0.2
_BEHIND = ("together", "named", "static", "semantic", "called", "in-sight", "own", "in-module")
"""Features that bring rows of their own, however the rest ranks them."""

_TIERS = ("lexical", "static", "semantic")
Matrix = NDArray[np.float32]
Sets = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Weights by mode and by the last tier that takes part."""


@dataclass(frozen=True)
class Example:
    """One question: the features of some rows, and which of them are answers."""

    mode: str
    columns: Matrix
    answers: NDArray[np.bool_]
    package: str = ""
    task: str = ""


def names_of(mode: str) -> tuple[str, ...]:
    """The features of a mode."""
    return features.WORDS if mode == "words" else features.CURSOR


def example(
    mode: str, found: Found, answers: Sequence[int], left_out: Sequence[int], allowed: Scores
) -> Example:
    """The rows that any feature finds, and the answers."""
    names = names_of(mode)
    rankings = [found.scores, *(found.columns[name] for name in _BEHIND if name in found.columns)]
    rows = set(answers)
    for scores in rankings:
        scored = np.where(allowed > 0, scores, -np.inf)
        scored[list(left_out)] = -np.inf
        best = np.argpartition(-scored, min(_DEEP, len(scored) - 1))[:_DEEP]
        rows |= {row for row in best.tolist() if np.isfinite(scored[row])}
    ordered = sorted(rows)
    absent = np.zeros(len(found.scores), np.float32)
    columns = np.stack([found.columns.get(name, absent)[ordered] for name in names], axis=1)
    return Example(mode, columns, np.isin(ordered, answers))


def fitted(
    examples: Sequence[Example], names: Sequence[str], without: Sequence[str] = ()
) -> dict[str, float]:
    """The weights that make the answers likeliest; features `without` get none."""
    columns = np.concatenate([e.columns for e in examples])
    sizes = np.array([len(e.answers) for e in examples])
    answers = np.concatenate([e.answers for e in examples])
    used = np.array([name not in without for name in names], np.float32)
    scale = np.maximum(columns.std(axis=0), 1e-3)
    columns = columns / scale * used
    weights = np.zeros(len(names), np.float32)
    for gradient in _descent(weights, columns, sizes, answers):
        weights += gradient
    return {
        name: round(float(weight), 4)
        for name, weight in zip(names, weights / scale * used, strict=True)
        if abs(weight) > 1e-4
    }


def _descent(
    weights: Matrix, columns: Matrix, sizes: NDArray[np.int64], answers: NDArray[np.bool_]
) -> Iterator[Matrix]:
    """The steps of Adam on the mean loss."""
    first: Matrix = np.zeros_like(weights)
    second: Matrix = np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        gradient = _gradient(weights, columns, sizes, answers) + _DECAY * weights
        first = (0.9 * first + 0.1 * gradient).astype(np.float32)
        second = (0.99 * second + 0.01 * gradient**2).astype(np.float32)
        rate = _RATE * (1 - step / (_STEPS + 1))
        yield np.float32(-rate) * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-8)


def _gradient(
    weights: Matrix, columns: Matrix, sizes: NDArray[np.int64], answers: NDArray[np.bool_]
) -> Matrix:
    """Of the negative logarithm of the answers' share."""
    scores = columns @ weights
    starts = np.cumsum(sizes) - sizes
    share = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
    right = share * answers
    slope = share / np.repeat(np.add.reduceat(share, starts), sizes)
    slope -= right / np.repeat(np.maximum(np.add.reduceat(right, starts), 1e-20), sizes)
    made: Matrix = (columns.T @ slope) / len(sizes)
    return made


def sets(examples: Sequence[Example], tiers: Sequence[str] = _TIERS) -> Sets:
    """The weights by mode and by the last tier that takes part, each from the examples that have it."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for mode in sorted({e.mode for e in examples}):
        own = [e for e in examples if e.mode == mode]
        names = names_of(mode)
        having = {tier: [e for e in own if _has(e, names, tier)] for tier in tiers}
        found[mode] = {tier: fitted(some, names, _missing(tier)) for tier, some in having.items() if some}
    return found


def last_tiers(examples: Sequence[Example]) -> list[str]:
    """The tier that comes last in these examples."""
    present = [t for t in _TIERS if any(_has(e, names_of(e.mode), t) for e in examples)]
    return present[-1:]


def _missing(tier: str) -> list[str]:
    """The features that are not there when a tier is the last one."""
    later = _TIERS[_TIERS.index(tier) + 1 :]
    return [name for other in later for name in features.TIERS[other]]


def measured_by(learned: Sets, examples: Sequence[Example]) -> Measured:
    """How all tiers together do on some questions, by these weights."""
    return measured([_rank(learned, one) for one in examples])


def _rank(learned: Sets, one: Example) -> int | None:
    """The rank of the best answer among the rows of an example; None beyond 10."""
    names, sets_of = names_of(one.mode), learned[one.mode]
    tier = next(t for t in reversed(_TIERS) if t in sets_of and _has(one, names, t))
    scores = one.columns @ np.array([sets_of[tier].get(name, 0.0) for name in names], np.float32)
    place = int((scores > scores[one.answers].max()).sum()) + 1
    return place if place <= 10 else None


def _has(one: Example, names: Sequence[str], tier: str) -> bool:
    return tier not in names or bool(one.columns[:, names.index(tier)].any())
