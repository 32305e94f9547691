"""What a resolver is asked about a place, and its answer: where names are defined, what callers mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

TIER = "resolved"


class Site(NamedTuple):
    """A name in a text; zero-based, columns in code points."""

    line: int
    column: int
    name: str


class Caller(NamedTuple):
    """A definition that calls something of the name in question, and where it does."""

    path: str
    first: int
    """The line on which the definition begins: with the path it names the definition."""
    sites: tuple[Site, ...]


class Definition(NamedTuple):
    """Where a name is defined."""

    path: str
    """From the root; "" outside of the workspace."""
    line: int
    """Zero-based."""
    name: str
    """Dotted, with the module; as far as it is known."""


class Places(NamedTuple):
    """What is to be resolved for one place, the weightiest first."""

    path: str
    names: tuple[Site, ...]
    """Names in the file: what is under the cursor, on its line, what the definition around it calls."""
    callers: tuple[Caller, ...]
    """Definitions that may call the definition around the place."""
    sources: tuple[str, ...]
    """Folders from the root from which imports start."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What is known of the names and callers of a place; what is not among them is not known."""

    names: Mapping[Site, tuple[Definition, ...]] = field(default_factory=dict)
    callers: Mapping[tuple[str, int], tuple[Definition, ...]] = field(default_factory=dict)
    """By path and first line of a caller, what its calls mean; only where all of them are known."""
    missing: str = ""
    """What is not resolved, and why; empty when all is."""

    @property
    def tiers(self) -> tuple[str, ...]:
        """The tier, if it had anything to say."""
        return (TIER,) if self.names or self.callers else ()


NOTHING = Resolved()
