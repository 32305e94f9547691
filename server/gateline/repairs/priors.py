"""Costs of proposals: what finds repairs names keys, and the numbers stand in `priors.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


def prior(key: str) -> float:
    """The cost with a key such as `none.exit`; a key that the table does not have is a KeyError."""
    return priors()[key]


@cache
def priors() -> dict[str, float]:
    """The whole table by key, read once: part of the code, as a module would be."""
    text = files(__package__).joinpath("priors.toml").read_text(encoding="utf-8")
    return {
        f"{package}.{name}": float(cost)
        for package, costs in tomllib.loads(text).items()
        for name, cost in costs.items()
    }
