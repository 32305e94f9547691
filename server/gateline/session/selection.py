"""What is asked to be judged. It imports nothing of what judges."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Which(StrEnum):
    """Which tests to run."""

    AFFECTED = "affected"
    ALL = "all"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Selection:
    """What to judge."""

    base: str | None = None
    """Overrides the setting `base`."""
    staged: bool = False
    """The index exactly, not the work tree."""
    paths: tuple[str, ...] = ()
    """Only these files, or what is below these folders; relative to the root."""
    all: bool = False
    """Every project file, all its findings new."""
    accepted: tuple[tuple[str, str], ...] = ()
    """What a person accepts in this verdict: `CODE:PATH` or `CODE:PATH:SYMBOL`, and why."""
