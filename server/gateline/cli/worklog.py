"""`gateline worklog`: work that was left, and how to get it back."""

from __future__ import annotations

import json

import click

from gateline.cli import terminal
from gateline.cli.task import output, plain_task, workspace_here
from gateline.worklog.detection import notice, restore_command

_EXAMPLES = """\
\b
Examples:
  gateline worklog                  unfinished tasks, and the command that restores each
  gateline worklog --output json    for programs
"""


@click.command(epilog=_EXAMPLES)
@output
def worklog(form: str) -> None:
    """Show unfinished tasks, and the command that restores each.

    Lists the newest tasks that are in progress or were abandoned, newest first. An editor shows one of them
    once, when a workspace with a substantial change is opened.
    """
    with workspace_here() as (tasks, _, workspace):
        left = tasks.left(workspace.loaded.settings.worklog.detect_newest)
    if form == "json":
        rows = [{**plain_task(task), "restore": restore_command(task)} for task in left]
        terminal.emit(json.dumps(rows, indent=2) + "\n", machine=True)
        return
    terminal.emit("\n".join(f"{notice(task)}\n" for task in left) or "no unfinished work\n")
