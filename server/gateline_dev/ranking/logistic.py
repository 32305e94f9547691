"""Logistic regression on features that are named, and cross-validation over tasks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gateline.ranking.logistic import Numbers, most_likely

RIDGE = 1e-3
FOLDS = 10
_SEED = 0


def fitted(rows: Numbers, right: Numbers, ridge: float = RIDGE) -> Numbers:
    """The intercept and the coefficients; the penalty is of the mean loss, on standardised columns."""
    middle, width = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    columns = np.c_[np.ones(len(rows)), (rows - middle) / width]
    size = columns.shape[1]
    penalty = ridge * len(right) * np.diag(np.r_[0.0, np.ones(size - 1)])
    weights = most_likely(columns, right, np.zeros(size), penalty)
    slopes = weights[1:] / width
    answer: Numbers = np.r_[weights[0] - (slopes * middle).sum(), slopes]
    return answer


def told(weights: Numbers, rows: Numbers) -> Numbers:
    """The probabilities."""
    answer: Numbers = 1 / (1 + np.exp(-(weights[0] + rows @ weights[1:])))
    return answer


def cross_validated(rows: Numbers, right: Numbers, tasks: Sequence[str]) -> Numbers:
    """Each row's probability by a fit that saw no row of its task."""
    names = sorted(set(tasks))
    np.random.default_rng(_SEED).shuffle(names)
    folds = {name: place % FOLDS for place, name in enumerate(names)}
    mine = np.array([folds[task] for task in tasks])
    answer = np.full(len(right), np.nan)
    for fold in range(FOLDS):
        held_out = mine == fold
        if held_out.any() and (~held_out).any():
            answer[held_out] = told(fitted(rows[~held_out], right[~held_out]), rows[held_out])
    return answer
