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
  gateline gc      now, instead of with the next task
"""


@click.command(epilog=_EXAMPLES)
def gc() -> None:
    """Forget what is over its limits, and give the space back.

    Tasks that were left for a day lose their events and keep their summaries; summaries and savepoints go
    after 30 days; the oldest savepoints go earlier when all take over 200 MB. The table `worklog` of the
    settings has other limits. `gateline task start` and editors do it, too.
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
        f"{_many(done.savepoints, 'savepoint')} dropped",
        f"{done.size / 1e6:.1f} MB left",
    )
    terminal.emit(", ".join(rows) + "\n")
    if done.tasks.warning:
        click.echo(done.tasks.warning, err=True)
    if done.tokens > MEAN_LIMIT:
        click.echo(f"agents receive {done.tokens:.0f} tokens a task, more than {MEAN_LIMIT:g}", err=True)


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
