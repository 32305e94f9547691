"""`gateline task`: what is worked on, and how far it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.ending import Mistake, Undecided
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.tasks.current_task import commit_of, present, tier_now, wanted
from gateline.session.tasks.detecting import announced
from gateline.session.tasks.housekeeping import tidy
from gateline.session.tasks.tasks import SAID, Tasks, said, tasks_of
from gateline.session.workspace.workspace import Workspace
from gateline.store.database import StoreError
from gateline.store.savepoints.values import SavepointError
from gateline.worklog.detection import notice
from gateline.worklog.rendering import timestamp
from gateline.worklog.task import Phase, Task, TaskOutcome, Tier
from gateline.worklog.tier import InferredTier

_EXAMPLES = """\
\b
Examples:
  gateline task start "Prices with tax" --todo rounding --plan src/cart.py
  gateline task update --done rounding
  gateline task show
  gateline task finish
"""

_name = click.argument("name", metavar="[TASK]", default="")
_tier = click.option(
    "--tier", type=click.Choice([t.value for t in Tier]), help="Tier to use instead of the inferred one."
)
_todos = click.option("--todo", "todos", multiple=True, metavar="TEXT", help="An open item. Can be repeated.")
_plans = click.option(
    "--plan", "plans", multiple=True, metavar="PATH", help="A file that will be changed. Can be repeated."
)
output = click.option(
    "--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)


@click.group(epilog=_EXAMPLES)
def task() -> None:
    """Record the work on a branch as a task.

    A task belongs to the branch that is checked out. Checkpoints are recorded with it, in your own state
    folder and never in the project. TASK is an identifier or a prefix of one; the default is the task in
    progress on this branch.
    """


@task.command()
@click.argument("description")
@_tier
@_todos
@_plans
def start(description: str, tier: str | None, todos: tuple[str, ...], plans: tuple[str, ...]) -> None:
    """Begin a task on this branch."""
    with workspace_here() as (tasks, branch, workspace):
        found = InferredTier(Tier(tier), SAID) if tier else tier_now(workspace)
        settings = workspace.loaded.settings.worklog
        left = announced(tasks, found.tier, settings)
        if left is not None:
            click.echo(notice(left), err=True)
        made = tasks.start(description, found, branch, commit=commit_of(workspace))
        tasks.record(made, *said(todos, (), plans))
        terminal.emit(f"{made.id}  {made.tier} ({made.tier_reason})\n")
        done = tidy(workspace.root, settings)
        if done.tasks.warning:
            click.echo(done.tasks.warning, err=True)


@task.command()
@_name
@click.option("--describe", default="", metavar="TEXT", help="New description of the task.")
@_tier
@_todos
@click.option("--done", multiple=True, metavar="TEXT", help="An item that is done. Can be repeated.")
@_plans
@click.option("--phase", type=click.Choice([p.value for p in Phase]), help="A completed phase.")
def update(
    name: str,
    describe: str,
    tier: str | None,
    todos: tuple[str, ...],
    done: tuple[str, ...],
    plans: tuple[str, ...],
    phase: str | None,
) -> None:
    """Record the progress of a task."""
    with workspace_here() as (tasks, branch, _):
        known = wanted(tasks, name, branch)
        if describe or tier:
            named = InferredTier(Tier(tier), SAID) if tier else None
            known = tasks.change(known, named, describe)
        tasks.record(known, *said(todos, done, plans))
        if phase:
            tasks.phase(known, Phase(phase))


@task.command()
@_name
@click.option(
    "--outcome",
    type=click.Choice([TaskOutcome.COMPLETED.value, TaskOutcome.ABANDONED.value]),
    default=TaskOutcome.COMPLETED.value,
    show_default=True,
    help="Outcome of the task.",
)
def finish(name: str, outcome: str) -> None:
    """End a task, and show its summaries."""
    with workspace_here() as (tasks, branch, _):
        ended = tasks.finish(wanted(tasks, name, branch), TaskOutcome(outcome))
        terminal.emit(tasks.page(ended).text)


@task.command("list")
@output
def list_(form: str) -> None:
    """List the tasks of this workspace, newest first."""
    with workspace_here() as (tasks, _, _):
        known = tasks.all()
    if form == "json":
        terminal.emit(json.dumps([plain_task(one) for one in known], indent=2) + "\n", machine=True)
        return
    for one in known:
        terminal.emit(
            f"{one.id}  {timestamp(one.started_at)}  {one.outcome:<11}  {one.tier:<8}  {one.description}\n"
        )


@task.command()
@_name
@output
@click.option(
    "--bounded",
    is_flag=True,
    help="Limit the output to the tier's token budget and count it, for a model or an agent.",
)
def show(name: str, form: str, bounded: bool) -> None:
    """Show a task: checkpoints, summaries, open items and deviations from the plan.

    Without TASK, the newest finished task if none is in progress.
    """
    with workspace_here() as (tasks, branch, _):
        found = wanted(tasks, name, branch, ended=True)
        log, page = tasks.log(found), tasks.page(found, bounded=bounded)
        handed = dict(tasks.handed(found))
    if form == "json":
        content = {
            **plain_task(log.task),
            "events": len(log.events),
            "summaries": list(log.summaries),
            "tokens": handed,
        }
        terminal.emit(json.dumps(content, indent=2) + "\n", machine=True)
    else:
        terminal.emit(page.text)
        if page.warning:
            click.echo(page.warning, err=True)


@contextmanager
def workspace_here() -> Iterator[tuple[Tasks, str, Workspace]]:
    """The tasks, the branch and the workspace here; what is in the way is told in a sentence."""
    try:
        workspace, branch = present(Path.cwd())
        settings = workspace.loaded.settings.worklog
        with tasks_of(workspace.root, batching=settings.batching) as tasks:
            yield tasks, branch, workspace
    except UsageError as error:
        raise Mistake(str(error)) from error
    except (StoreError, SavepointError, UndecidedError) as error:
        raise Undecided(str(error)) from error


def plain_task(one: Task) -> dict[str, object]:
    """A task of values that JSON has."""
    return {
        "id": one.id,
        "description": one.description,
        "tier": str(one.tier),
        "tier_reason": one.tier_reason,
        "branch": one.branch,
        "outcome": str(one.outcome),
        "started_at": timestamp(one.started_at),
        "ended_at": timestamp(one.ended_at) if one.ended_at else None,
    }
