"""`gateline savepoint`: keep the content of now."""

from __future__ import annotations

from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.ending import Undecided
from gateline.session.current_task import saved
from gateline.session.roots import find_root
from gateline.session.savepoints import savepoints_of
from gateline.session.tasks import now
from gateline.store.savepoints.values import Savepoint, SavepointError

_EXAMPLES = """\
\b
Examples:
  gateline savepoint                    before something daring
  gateline savepoint "parser works"     with a word for later
  gateline restore                      lists them
"""


@click.command(epilog=_EXAMPLES)
@click.argument("label", default="by hand")
def savepoint(label: str) -> None:
    """Keep the content of every file that is not ignored.

    It is kept in your own state folder; the repository's index, refs, stash and settings stay as they are.
    A task in progress on this branch has it as its newest. What it does not hold (files over 5 MB,
    repositories inside) is named.
    """
    root = find_root(Path.cwd())
    try:
        made = savepoints_of(root).take(label, now())
    except SavepointError as error:
        raise Undecided(str(error)) from error
    saved(root, made.id)
    terminal.emit(f"{made.id}\n")
    tell_uncovered(made)


def tell_uncovered(made: Savepoint) -> None:
    """Name what a savepoint does not hold, on standard error."""
    for row in made.uncovered:
        click.echo(f"not covered: {row.path} ({row.reason})", err=True)
