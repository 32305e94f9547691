"""`gateline gc`: forget what is over its limits."""

from __future__ import annotations

from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.ending import Mistake, Undecided
from gateline.session.errors import UsageError
from gateline.session.tasks.current_task import present
from gateline.session.tasks.housekeeping import tidy
from gateline.store.database import StoreError
from gateline.store.savepoints.values import SavepointError
from gateline.worklog.tokens import MEAN_LIMIT

_EXAMPLES = """\
\b
Examples:
  gateline gc      clean up now instead of with the next task
"""


@click.command(epilog=_EXAMPLES)
def gc() -> None:
    """Delete recorded tasks and savepoints that exceed their limits.

    A task that is not finished within a day counts as abandoned: its events are deleted, its summary is kept.
    Summaries and savepoints are deleted after 30 days, the oldest savepoints earlier when all take over 200
    MB. The settings in the table `worklog` change these limits. `gateline task start` and editors also do
    this.
    """
    try:
        workspace, _ = present(Path.cwd())
        done = tidy(workspace.root, workspace.loaded.settings.worklog)
    except UsageError as error:
        raise Mistake(str(error)) from error
    except (StoreError, SavepointError) as error:
        raise Undecided(str(error)) from error
    rows = (
        f"{_many(len(done.tasks.abandon), 'task')} abandoned",
        f"{len(done.tasks.evict) + len(done.tasks.forget)} forgotten",
        f"{_many(done.savepoints, 'savepoint')} deleted",
        f"{done.size / 1e6:.1f} MB in use",
    )
    terminal.emit(", ".join(rows) + "\n")
    if done.tasks.warning:
        click.echo(done.tasks.warning, err=True)
    if done.tokens > MEAN_LIMIT:
        click.echo(
            f"agents receive {done.tokens:.0f} tokens per task on average, above the limit of {MEAN_LIMIT:g}",
            err=True,
        )


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
