"""Coefficients of the confidence. Written by `gateline_dev.ranking --calibrate FILE`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

INTERCEPT = -5.8754
COEFFICIENTS: Mapping[str, float] = MappingProxyType(
    {
        "passes all": 4.3035,
        "log of how many pass": 0.9154,
        "log of how many agree": -0.4508,
        "agreeing among equals": 2.4802,
        "second group": 3.0943,
        "groups among equals": -1.58,
        "token agreement": 1.7768,
        "enough tests": 0.4998,
    }
)
"""By the name of a feature; fitted on 5520 pools of 69 tasks."""
