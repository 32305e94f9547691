"""Asks the session for a verdict, on behalf of a command.

What judges is imported when it is needed: a verdict that was made before does not wait for it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.ending import Mistake, run
from gateline.model.level import Level
from gateline.session.check_result import CheckResult
from gateline.session.judge.verdict_cache.answers import Asking, Known, find, keep, key_of
from gateline.session.selection import Selection, Which
from gateline.session.workspace.roots import find_root

_ASKED_ALWAYS = {"gateline.services.types.far_mypy": 0, "gateline.services.worker": 5}
"""The type checker's process and the worker, and how nice they are."""


def judged(
    selection: Selection, level: Level, overrides: Mapping[str, object], which: Which | None = None
) -> CheckResult:
    """Judge from the current folder, with progress on a terminal. Raises Mistake and Undecided."""
    with terminal.progress() as tell:
        return _judged(Asking(Path.cwd(), selection, level, which, overrides, os.environ), tell)


def judged_once(asking: Asking, *, anew: bool = False) -> CheckResult:
    """What was said of the same content before, or else a new verdict; `anew`: always that.

    Standard error says when it is not new. Raises Mistake and Undecided.
    """
    with terminal.progress() as tell:
        key = key_of(asking)
        known = None if anew else find(asking, key)
        if known is None:
            result = _judged(asking, tell)
            keep(asking, key, result, datetime.now(UTC))
            return result
    _tell_known(known)
    return known.result


def _judged(asking: Asking, tell: terminal.Tell) -> CheckResult:
    tell("starting")
    _refuse_wrong(asking)
    return run(_checked(asking, tell))


async def _checked(asking: Asking, tell: terminal.Tell) -> CheckResult:
    """What judges is imported while the processes that it asks import their own."""
    from gateline.services import spawning

    for module, nice in _ASKED_ALWAYS.items():
        await spawning.begin(module, nice)
    try:
        from gateline.session.check import check

        return await check(
            asking.start,
            asking.selection,
            asking.level,
            which=asking.which,
            progress=asking.progress,
            overrides=asking.overrides,
            on_progress=tell,
            environ=asking.environ,
        )
    finally:
        await spawning.end()


def _tell_known(known: Known) -> None:
    at = known.at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    click.echo(f"gateline: this content was judged before, at {at}; --no-cache judges it again", err=True)


def tell_problems(result: CheckResult) -> None:
    """Mistakes in the settings, each with its place, on standard error."""
    for problem in result.settings_problems:
        place = f"{problem.origin}: " if problem.origin else ""
        click.echo(f"gateline: {place}{problem.text}", err=True)


def _refuse_wrong(asking: Asking) -> None:
    """What was typed just now is refused before anything is judged by other settings than were meant."""
    if not asking.overrides:
        return
    from gateline.session.workspace.settings import load_settings

    wrong = load_settings(find_root(asking.start), {}, asking.overrides).problems
    # With an empty environment, what stands in no file was typed.
    typed = [problem.text for problem in wrong if not problem.path]
    if typed:
        raise Mistake("; ".join(f"--set: {text}" for text in typed))
