"""What a check answers. It imports nothing of what judges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateline.model import Evaluation
    from gateline.model.evaluation import Trajectory
    from gateline.settings import WorklogSettings
    from gateline.settings.problem import SettingsProblem
    from gateline.worklog.scored import Regression


@dataclass(frozen=True)
class CheckResult:
    """An evaluation, and what is needed to show it."""

    root: Path
    evaluation: Evaluation
    sources: Mapping[str, str]
    """The texts that were judged, by path, for code frames."""
    settings_problems: tuple[SettingsProblem, ...]
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds by step."""
    regression: Regression | None = None
    """What is worse than what was accepted last, where a task is in progress."""
    trajectory: Trajectory | None = None
    """At middle: how the score moved since the early checkpoint that is remembered of the change."""
    savepoint: str = ""
    """Where a rollback would go, if one is advised; empty when nothing is kept."""
    json: bytes = b""
    """The evaluation in canonical JSON, where that was written before."""
    pythons: tuple[str, ...] = ()
    """The interpreters whose packages it depends on; empty where it was read."""
    worklog: WorklogSettings | None = None
    """What is remembered; None without git, and where it was read."""
