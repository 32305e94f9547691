"""Logistic regression with a normal prior."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
_STEPS = 50
_SMALLEST = 1e-9
"""Shorter steps are neither taken nor halved."""


def most_likely(columns: Numbers, right: Numbers, prior: Numbers, precision: Numbers) -> Numbers:
    """The coefficients with the highest posterior density, by Newton's method.

    `columns` has a row for each observation, `right` 1 or 0 for it; the prior is normal around `prior`, with
    `precision` as the inverse of its covariance. A step is halved until the density is no lower: whole ones
    jump to and fro where the start is far off.
    """
    found = prior.copy()
    for _ in range(_STEPS):
        told = 1 / (1 + np.exp(-np.clip(columns @ found, -30, 30)))
        gradient = columns.T @ (told - right) + precision @ (found - prior)
        slope = np.maximum(told * (1 - told), 1e-9)
        step = np.linalg.solve((columns.T * slope) @ columns + precision, gradient)
        now = _unlikely(columns, right, found - prior, prior, precision)
        while np.abs(step).max() > _SMALLEST:
            if _unlikely(columns, right, found - step - prior, prior, precision) <= now:
                break
            step /= 2
        found = found - step
        if np.abs(step).max() <= _SMALLEST:
            break
    return found


def _unlikely(columns: Numbers, right: Numbers, away: Numbers, prior: Numbers, precision: Numbers) -> float:
    """The negative logarithm of the posterior density `away` from the prior, but for a constant."""
    logits = columns @ (prior + away)
    return float(np.sum(np.logaddexp(0, logits) - right * logits) + away @ precision @ away / 2)
