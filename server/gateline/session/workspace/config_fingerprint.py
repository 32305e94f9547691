"""Names the settings and the tools that a score came from: only scores of one edition are compared."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from gateline.model import digest_of
from gateline.model.governing import governs
from gateline.settings import Settings
from gateline.settings.keys import dotted, leaves
from gateline.settings.table import at

_TOOLS = ("gateline", "mypy", "ty", "bandit", "detect-secrets", "radon", "coverage", "pytest")


def edition(settings: Settings) -> str:
    """A short name, which changes with any setting that judges and with the version of any tool."""
    table = settings.model_dump(mode="json", by_alias=True)
    judging = [f"{dotted(key)}={at(table, key)}" for key, _ in leaves() if governs(dotted(key))]
    return digest_of("\n".join((*_versions(), *judging, f"types.engine={settings.types.engine}")))[:12]


@lru_cache(maxsize=1)
def _versions() -> tuple[str, ...]:
    return tuple(f"{name} {_version(name)}" for name in _TOOLS)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
