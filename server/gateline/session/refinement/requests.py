"""What the process of a refinement loop is asked, and what it tells while the loop goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gateline.refinement.state import LoopState, Rules


@dataclass(frozen=True, slots=True)
class Run:
    """Run a loop to its end: answered by `Doing` and `LoopState`, or `Refused`."""

    root: Path
    goal: str
    agents: tuple[str, ...]
    rules: Rules
    resume: str
    """The identifier of a loop to go on with; empty: a new one."""
    python: str
    texts: Mapping[str, str]
    """Unsaved texts that a new loop begins with, by path from the top of the repository."""


@dataclass(frozen=True, slots=True)
class Doing:
    """What the loop does now."""

    step: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Why the loop cannot begin, or not go on."""

    message: str


Event = Doing | LoopState | Refused
