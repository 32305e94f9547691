"""What the far side of repairs is asked, and what it asks back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gateline.model import Problem
from gateline.repairs.budget import Effort
from gateline.repairs.proof import Verdict


@dataclass(frozen=True, slots=True)
class Environment:
    """What can be imported besides the workspace."""

    search_path: tuple[str, ...]
    """Folders of installed packages."""
    version: tuple[int, int]
    """Of Python."""


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace as it is now."""

    root: str
    files: tuple[str, ...]
    """Paths that may be read and edited, relative to the root; all others are protected."""
    environment: Environment


@dataclass(frozen=True, slots=True)
class Begin:
    """Repair a problem; whatever was under way is given up. Answered by `Asked`, or by a `DebugResult`."""

    problem: Problem
    place: Place
    texts: Mapping[str, str]
    """Texts over the disk, by path."""
    effort: Effort
    excluded: frozenset[tuple[str, str]] = frozenset()
    """Repairs that are not to be tried, by the path of their first edit and their title."""


@dataclass(frozen=True, slots=True)
class Tell:
    """The verdict on what was asked; answered as `Begin`."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Warm:
    """Read what can be imported before anybody waits for it; answered by the problem types families know."""

    environment: Environment
    types: frozenset[str] | None = None
    """The types of the problems that will be asked about; None where nobody knows yet."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request of the far side: what is found with these texts. All of them parse."""

    problem: Problem
    texts: Mapping[str, str]
    """Every text that differs from the workspace."""
    touched: Mapping[str, frozenset[int]]
    """The zero-based lines of these texts that a repair changed."""
