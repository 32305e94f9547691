"""`gateline restore`: files as they were at a savepoint."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.ending import FAILED, Mistake, Undecided
from gateline.cli.savepoint import tell_uncovered
from gateline.session.roots import find_root
from gateline.session.savepoints import recovered, savepoints_of
from gateline.session.tasks import now
from gateline.store.savepoints.elsewhere import Elsewhere
from gateline.store.savepoints.planning import plan
from gateline.store.savepoints.restoring import Restoring
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Plan, Savepoint, SavepointError, Step
from gateline.worklog.rendering import timestamp

_EXAMPLES = """\
\b
Examples:
  gateline restore                          lists the savepoints
  gateline restore 20261122T0910            shows what would change
  gateline restore 20261122T0910 --write src/cart.py
  gateline restore 20261122T0910 --to ../as-it-was
  gateline restore 20261122T0910 --branch as-it-was
  gateline restore 20261122T0910 --worktree ../as-it-was
"""


@click.command(epilog=_EXAMPLES)
@click.argument("name", metavar="[SAVEPOINT]", default="")
@click.argument("paths", nargs=-1)
@click.option("--write", is_flag=True, help="Change the files here.")
@click.option("--to", "folder", metavar="FOLDER", help="Write all files into an empty or new folder.")
@click.option("--branch", metavar="NAME", help="Commit all files to a new branch, which is not checked out.")
@click.option(
    "--worktree",
    metavar="FOLDER",
    help="Make a linked work tree with all files, on the commit that was checked out.",
)
def restore(
    name: str,
    paths: tuple[str, ...],
    write: bool,
    folder: str | None,
    branch: str | None,
    worktree: str | None,
) -> None:
    """Show or restore files as they were at a savepoint.

    SAVEPOINT is an identifier or how it begins. PATHS are files or folders; without them it is all files. A
    savepoint of now is taken before, so that a restore can be taken back. Only the files change: not the
    index, not the branch. A file whose content was not recorded is left alone.
    """
    asked = {"--to": folder, "--branch": branch, "--worktree": worktree}
    places = {option: place for option, place in asked.items() if place}
    _refuse(name, paths, [*(["--write"] if write else []), *places])
    try:
        savepoints = savepoints_of(find_root(Path.cwd()))
        _recover(savepoints)
        if not name:
            _list(savepoints)
        elif places:
            (where,) = places.items()
            _elsewhere(savepoints, savepoints.find(name), *where)
        else:
            only = _from_top(savepoints.root, paths)
            _here(savepoints, plan(savepoints, savepoints.find(name), now(), only), write=write)
    except SavepointError as error:
        raise Undecided(str(error)) from error


def _refuse(name: str, paths: tuple[str, ...], said: list[str]) -> None:
    """Raises Mistake for options that do not go together."""
    if len(said) > 1:
        raise Mistake(f"{' and '.join(said)} exclude each other: name one place for the files")
    if said and not name:
        raise Mistake(f"{said[0]} needs a SAVEPOINT; `gateline restore` lists all")
    if said and said != ["--write"] and paths:
        raise Mistake(f"{said[0]} writes everything; leave the paths out")


def _elsewhere(savepoints: Savepoints, target: Savepoint, option: str, place: str) -> None:
    """Beside what is checked out, which stays as it is."""
    tell_uncovered(target)
    places = Elsewhere(savepoints)
    if option == "--branch":
        terminal.emit(f"{places.to_branch(target, place)}\n")
    elif option == "--worktree":
        terminal.emit(f"{places.to_worktree(target, Path(place))}\n")
    else:
        places.to_folder(target, Path(place))


def _here(savepoints: Savepoints, planned: Plan, *, write: bool) -> None:
    tell_uncovered(planned.target)
    if not write:
        terminal.emit("".join(map(_row, planned.steps)) or "nothing differs\n")
        return
    restored = Restoring(savepoints).in_place(planned)
    terminal.emit("".join(map(_row, (*restored.done, *restored.left))) or "nothing differs\n")
    click.echo(f"to take it back: gateline restore {planned.now.id} --write", err=True)
    sys.exit(FAILED if restored.left else 0)


def _row(step: Step) -> str:
    return (
        f"{step.action:<7} {step.path}\n" if not step.conflict else f"left    {step.path}: {step.conflict}\n"
    )


def _list(savepoints: Savepoints) -> None:
    for one in savepoints.all():
        mark = "" if one.complete else f"  (without {len(one.uncovered)})"
        terminal.emit(f"{one.id}  {timestamp(one.at)}  {one.label}{mark}\n")


def _recover(savepoints: Savepoints) -> None:
    undone = recovered(savepoints)
    if undone is None:
        return
    click.echo("a restore had been cut short: the files are as they were before it", err=True)
    for step in undone.left:
        click.echo(f"left    {step.path}: {step.conflict}", err=True)


def _from_top(top: Path, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Paths as they are from the top of the repository. Raises Mistake for one that is outside."""
    found = []
    for path in paths:
        full = Path(os.path.normpath(Path.cwd() / path))
        if not full.is_relative_to(top):
            raise Mistake(f"path {path!r} is outside of {top}")
        found.append(full.relative_to(top).as_posix())
    return tuple(found)
