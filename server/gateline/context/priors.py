"""What is known of each row before anything is asked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gateline.context.arrays import Scores
from gateline.context.segment import FIELDS
from gateline.context.values import Kind
from gateline.context.view import View

_LONG = 60.0
"""Tokens at which a body stops being short."""


def priors(view: View) -> dict[str, Scores]:
    """The features of the rows themselves."""
    kinds = view.kinds
    body = view.lengths[:, FIELDS.index("body")]
    return {
        "test": view.tests.astype(np.float32),
        "class": (kinds == Kind.CLASS).astype(np.float32),
        "module": (kinds == Kind.MODULE).astype(np.float32),
        "section": (kinds == Kind.SECTION).astype(np.float32),
        "table": (kinds == Kind.TABLE).astype(np.float32),
        "special": view.special,
        "private": view.private,
        "short": np.maximum(0, 1 - body / _LONG).astype(np.float32),
        "popular": view.popular,
    }


def priors_weighed(view: View, weights: Mapping[str, float]) -> Scores:
    """Their weighted sum: there are few sets of weights, and each is used again and again."""
    known = view.derived(priors)
    key = tuple(weights.get(name, 0.0) for name in known)
    held = view.derived(_sums)
    if key not in held:
        held[key] = np.add.reduce([np.float32(w) * c for w, c in zip(key, known.values(), strict=True)])
    return held[key]


def _sums(_: View) -> dict[tuple[float, ...], Scores]:
    """Filled as sums are asked for."""
    return {}
