"""What is asked of a refinement loop. A server imports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gateline.refinement.state import AUTODEBUG, Rules


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be refined, by whom, and how long."""

    goal: str = ""
    agents: tuple[str, ...] = (AUTODEBUG,)
    rules: Rules = field(default_factory=Rules)
    resume: str = ""
    """The identifier of a loop to go on with, or its beginning; empty: a new one."""
    python: str = ""
    """The interpreter of the project; empty: as settings and environment say."""
    replay: Path | None = None
    """A log whose rounds are judged again, without asking its agents."""
    plan: Path | None = None
    """A plan in Markdown whose steps are followed, with a gate after each."""
    specification: Path | None = None
    """What the plan is for: it must cover each criterion."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Unsaved texts that a new loop begins with, by path from the top of the repository."""


@dataclass(frozen=True, slots=True)
class Run:
    """Run a loop to its end: answered by `Doing` and `LoopState`, or `Refused`."""

    root: Path
    asked: Asked
