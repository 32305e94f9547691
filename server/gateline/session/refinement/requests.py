"""What is asked of a refinement loop. A server imports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gateline.refinement.state import AUTODEBUG, Rules
from gateline.session.errors import UsageError


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


def plan_in(root: Path, name: str) -> Path:
    """The plan that a client names, from the root or whole: a file of the workspace, links followed.

    Blocks. Raises UsageError.
    """
    if "\0" in name:
        raise UsageError(f"the plan {name!r} is no path: give a Markdown file of {root}")
    try:
        top, file = root.resolve(), (root / name).resolve()
        is_inside, is_file = file.is_relative_to(top), file.is_file()
    except OSError as error:
        raise UsageError(f"the plan {name!r} of {root} cannot be read: {error.strerror}") from None
    if not is_inside:
        raise UsageError(f"the plan {name!r} is outside of the workspace {root}: give a Markdown file of it")
    if not is_file:
        raise UsageError(f"the plan {name!r} is not a file of {root}: give the path of a Markdown file")
    return root / file.relative_to(top)


@dataclass(frozen=True, slots=True)
class Run:
    """Run a loop to its end: answered by `Doing` and `LoopState`, or `Refused`."""

    root: Path
    asked: Asked
