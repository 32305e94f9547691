"""Coefficients of likeness. Written by `gateline_dev.memory --calibrate`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Fit:
    """A logistic regression on named features."""

    threshold: float
    intercept: float
    slopes: Mapping[str, float]


SAME: Mapping[str, Fit] = MappingProxyType(
    {
        "semantic": Fit(
            0.67,
            -4.428,
            {
                "static": 1.429,
                "semantic": 4.156,
                "shared words": 1.491,
                "old words kept": 1.924,
                "new words known": -0.228,
                "far": 1.923,
                "shared facts": 0.922,
                "facts replaced": -1.394,
                "shorter": 3.518,
                "same order": -3.136,
                "word replaced": -4.373,
                "same in other words": 5.872,
            },
        ),
        "static": Fit(
            0.71,
            -1.431,
            {
                "static": 1.181,
                "shared words": 1.915,
                "old words kept": 3.058,
                "new words known": -0.212,
                "far": -0.606,
                "shared facts": 1.201,
                "facts replaced": -1.592,
                "shorter": 3.814,
                "same order": -3.47,
                "word replaced": -5.263,
                "same in other words": 5.666,
            },
        ),
        "words": Fit(
            0.72,
            1.202,
            {
                "shared words": 2.128,
                "old words kept": 2.698,
                "new words known": -1.177,
                "far": -1.718,
                "shared facts": 1.351,
                "facts replaced": -1.916,
                "shorter": 3.322,
                "same order": -3.787,
                "word replaced": -5.294,
                "same in other words": 6.91,
            },
        ),
    }
)
"""By tier: whether two notes are about one subject; fitted on 182 pairs of 25 subjects."""
RELATED: Mapping[str, Fit] = MappingProxyType(
    {
        "semantic": Fit(
            0.2,
            -9.567,
            {
                "static": 2.82,
                "semantic": 2.821,
                "shared words": 2.305,
                "old words kept": 2.201,
                "new words known": 3.324,
                "far": -2.558,
                "shared facts": 1.929,
                "facts replaced": -0.535,
                "shorter": 0.297,
                "same order": 0.848,
                "word replaced": 0.643,
                "same in other words": 4.257,
            },
        ),
        "static": Fit(
            0.16,
            -7.923,
            {
                "static": 2.251,
                "shared words": 3.08,
                "old words kept": 3.095,
                "new words known": 4.203,
                "far": -3.412,
                "shared facts": 1.829,
                "facts replaced": -0.622,
                "shorter": 0.41,
                "same order": 1.126,
                "word replaced": 1.561,
                "same in other words": 3.33,
            },
        ),
        "words": Fit(
            0.21,
            -3.874,
            {
                "shared words": 2.878,
                "old words kept": 1.918,
                "new words known": 2.458,
                "far": -4.227,
                "shared facts": 2.11,
                "facts replaced": -0.657,
                "shorter": 0.475,
                "same order": 0.633,
                "word replaced": 1.091,
                "same in other words": 6.584,
            },
        ),
    }
)
"""By tier: whether they have to do with each other at all; fitted on 1448 pairs of strangers."""
