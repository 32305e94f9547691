"""What the ranking knows, in natural logarithms. Written by `python -m gateline_dev.syntax`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

DEFAULT = 4.0
"""Of a pattern that was not seen."""
PATTERNS: Mapping[str, float] = MappingProxyType({})
FEATURES: Mapping[str, float] = MappingProxyType(
    {
        "distance": 0.15,
        "far": 0.02,
        "behind": 0.3,
        "added": 0.2,
        "removed": 0.3,
        "undefined": 2.0,
        "strange": 2.0,
        "useless": 1.5,
        "annotation": 1.5,
        "joined strings": 1.0,
        "odd string": 1.0,
        "lines": 0.02,
        "steps": 1.0,
    }
)
