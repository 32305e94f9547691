"""Texts in YAML as trees; several rules ask for the same few."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import yaml


@lru_cache(maxsize=16)
def tree_of(text: str) -> Any:
    """What a text says, to be read and not changed; None where it is no YAML, or nested too deeply."""
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError):
        return None
