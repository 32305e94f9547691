"""Asks the session for a verdict, on behalf of a command."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.ending import Mistake, run
from gateline.model import Level
from gateline.session.check import CheckResult, Selection, check
from gateline.session.roots import find_root
from gateline.session.settings import load_settings
from gateline.session.testing import Which


def judged(
    selection: Selection, level: Level, overrides: Mapping[str, object], which: Which | None = None
) -> CheckResult:
    """Judge from the current folder, with progress on a terminal. Raises Mistake and Undecided."""
    _refuse_wrong(overrides)
    with terminal.progress() as tell:
        return run(
            check(
                Path.cwd(),
                selection,
                level,
                which=which,
                overrides=overrides,
                on_progress=tell,
                environ=os.environ,
            )
        )


def tell_problems(result: CheckResult) -> None:
    """Mistakes in the settings, each with its place, on standard error."""
    for problem in result.settings_problems:
        place = f"{problem.origin}: " if problem.origin else ""
        click.echo(f"gateline: {place}{problem.text}", err=True)


def _refuse_wrong(overrides: Mapping[str, object]) -> None:
    """What was typed just now is refused before anything is judged by other settings than were meant."""
    if not overrides:
        return
    wrong = load_settings(find_root(Path.cwd()), {}, overrides).problems
    # With an empty environment, what stands in no file was typed.
    typed = [problem.text for problem in wrong if not problem.path]
    if typed:
        raise Mistake("; ".join(f"--set: {text}" for text in typed))
