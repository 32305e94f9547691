"""`gateline savepoint`: keep the content of now."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.ending import Mistake, Undecided
from gateline.cli.task import output
from gateline.session.tasks.current_task import saved
from gateline.session.tasks.savepoints import recovered, savepoints_here
from gateline.session.tasks.tasks import now
from gateline.session.workspace.roots import find_root
from gateline.store.savepoints.values import Savepoint, SavepointError, SavepointUsageError
from gateline.store.savepoints.writing import Restored
from gateline.worklog.rendering import timestamp

_EXAMPLES = """\
\b
Examples:
  gateline savepoint                    before a risky edit
  gateline savepoint "parser works"     with a label
  gateline savepoint --output json      for programs, with the files that are not covered
  gateline restore                      list the savepoints
"""


@click.command(epilog=_EXAMPLES)
@click.argument("label", default="by hand")
@output
def savepoint(label: str, form: str) -> None:
    """Save the content of every file that is not ignored.

    It is stored in your own state folder; the repository's index, refs, stash and settings do not change. It
    becomes the newest savepoint of the task in progress on this branch. Files that it does not cover (over
    5 MB, nested repositories) are listed.
    """
    root = find_root(Path.cwd())
    with told():
        savepoints = savepoints_here(root)
        tell_recovered(recovered(savepoints))
        made = savepoints.take(label, now())
    saved(root, made.id)
    if form == "json":
        terminal.emit(json.dumps(plain_savepoint(made), indent=2) + "\n", machine=True)
        return
    terminal.emit(f"{made.id}\n")
    tell_uncovered(made)


@contextmanager
def told() -> Iterator[None]:
    """What is in the way of a savepoint, told in a sentence. Raises Mistake and Undecided."""
    try:
        yield
    except SavepointUsageError as error:
        raise Mistake(str(error)) from error
    except SavepointError as error:
        raise Undecided(str(error)) from error


def tell_uncovered(made: Savepoint) -> None:
    """Name what a savepoint does not hold, on standard error."""
    for row in made.uncovered:
        click.echo(f"not covered: {row.path} ({row.reason})", err=True)


def tell_recovered(undone: Restored | None) -> None:
    """Say, on standard error, that a restore had been killed and was undone."""
    if undone is None:
        return
    click.echo("an interrupted restore was undone: the files are as they were before it", err=True)
    for step in undone.left:
        click.echo(f"skipped {step.path}: {step.conflict}", err=True)


def plain_savepoint(one: Savepoint) -> dict[str, object]:
    """A savepoint of values that JSON has."""
    uncovered = [{"path": row.path, "reason": row.reason} for row in one.uncovered]
    return {"id": one.id, "timestamp": timestamp(one.at), "label": one.label, "uncovered": uncovered}
