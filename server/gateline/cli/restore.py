"""`gateline restore`: files as they were at a savepoint."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from gateline.cli import terminal
from gateline.cli.ending import FAILED, Mistake
from gateline.cli.savepoint import plain_savepoint, tell_recovered, tell_uncovered, told
from gateline.cli.task import output
from gateline.session.tasks.savepoints import recovered, restoring, savepoints_here
from gateline.session.tasks.tasks import now
from gateline.session.workspace.roots import find_root
from gateline.store.savepoints.elsewhere import Elsewhere
from gateline.store.savepoints.planning import plan
from gateline.store.savepoints.restoring import Restoring
from gateline.store.savepoints.taking import Savepoints
from gateline.store.savepoints.values import Action, Plan, Savepoint, Step
from gateline.worklog.rendering import timestamp

_EXAMPLES = """\
\b
Examples:
  gateline restore                          list the savepoints
  gateline restore 20261122T0910            show what would change
  gateline restore 20261122T0910 --write src/cart.py
  gateline restore 20261122T0910 --to ../as-it-was
  gateline restore 20261122T0910 --branch as-it-was
  gateline restore 20261122T0910 --worktree ../as-it-was
  gateline restore 20261122T0910 --output json
"""

_PRIVATE = "only its owner could read it, and a branch cannot keep that; to restore it, run gateline restore"


@click.command(epilog=_EXAMPLES)
@click.argument("name", metavar="[SAVEPOINT]", default="")
@click.argument("paths", nargs=-1)
@click.option("--write", is_flag=True, help="Write the files in this work tree.")
@click.option("--to", "folder", metavar="FOLDER", help="Write all files into an empty or new folder.")
@click.option("--branch", metavar="NAME", help="Commit all files to a new branch without checking it out.")
@click.option(
    "--worktree",
    metavar="FOLDER",
    help="Create a linked work tree with all files, at the commit of the savepoint.",
)
@output
def restore(
    name: str,
    paths: tuple[str, ...],
    write: bool,
    folder: str | None,
    branch: str | None,
    worktree: str | None,
    form: str,
) -> None:
    """Show or restore files as they were at a savepoint.

    SAVEPOINT is an identifier or a prefix of one. PATHS are files or folders; the default is all files. A
    savepoint of the present state is taken first, so that a restore can be undone. Only files change, not the
    index or the branch. Skipped and reported: files whose content was not recorded, and files that the
    savepoint does not cover (ignored, too large, in a nested repository, not checked out).
    """
    asked = {"--to": folder, "--branch": branch, "--worktree": worktree}
    places = {option: place for option, place in asked.items() if place}
    _refuse(name, paths, [*(["--write"] if write else []), *places])
    with told():
        savepoints = savepoints_here(find_root(Path.cwd()))
        tell_recovered(recovered(savepoints))
        if not name:
            _list(savepoints, form)
        elif places:
            (where,) = places.items()
            _elsewhere(savepoints, savepoints.find(name), *where, form)
        elif write:
            with restoring(savepoints) as undone:
                tell_recovered(undone)
                _write(savepoints, _planned(savepoints, name, paths), form)
        else:
            planned = _planned(savepoints, name, paths)
            _tell(planned, planned.steps, form, applied=False)


def _refuse(name: str, paths: tuple[str, ...], said: list[str]) -> None:
    """Raises Mistake for options that do not go together."""
    if len(said) > 1:
        raise Mistake(f"{' and '.join(said)} are mutually exclusive: choose one destination for the files")
    if said and not name:
        raise Mistake(f"{said[0]} needs a SAVEPOINT; `gateline restore` lists all")
    if said and said != ["--write"] and paths:
        raise Mistake(f"{said[0]} restores all files; remove the paths")


def _elsewhere(savepoints: Savepoints, target: Savepoint, option: str, place: str, form: str) -> None:
    """Beside what is checked out, which stays as it is."""
    places, commit, left = Elsewhere(savepoints), "", []
    if option == "--branch":
        commit, left = places.to_branch(target, place), places.private(target)
    elif option == "--worktree":
        commit = places.to_worktree(target, Path(place))
    else:
        places.to_folder(target, Path(place))
    steps = [Step(path, Action.CREATE, "", "", "", f"{_PRIVATE} {target.id} --to FOLDER") for path in left]
    if form == "json":
        answer = {**_answer(target, steps), "applied": True, "place": place, "commit": commit}
        terminal.emit(json.dumps(answer, indent=2) + "\n", machine=True)
    else:
        tell_uncovered(target)
        terminal.emit(f"{commit}\n" if commit else "")
        click.echo("".join(map(_row, steps)), nl=False, err=True)
    sys.exit(FAILED if left else 0)


def _planned(savepoints: Savepoints, name: str, paths: tuple[str, ...]) -> Plan:
    return plan(savepoints, savepoints.find(name), now(), _from_top(savepoints.root, paths))


def _write(savepoints: Savepoints, planned: Plan, form: str) -> None:
    restored = Restoring(savepoints).in_place(planned)
    _tell(planned, (*restored.done, *restored.left), form, applied=True)
    click.echo(f"to undo this: gateline restore {planned.now.id} --write", err=True)
    sys.exit(FAILED if restored.left else 0)


def _tell(planned: Plan, steps: Sequence[Step], form: str, *, applied: bool) -> None:
    """What would be done, or was, with each file."""
    if form == "json":
        answer = {**_answer(planned.target, steps), "applied": applied, "now": planned.now.id}
        terminal.emit(json.dumps(answer, indent=2) + "\n", machine=True)
        return
    tell_uncovered(planned.target)
    terminal.emit("".join(map(_row, steps)) or "nothing to restore: no file differs\n")


def _answer(target: Savepoint, steps: Sequence[Step]) -> dict[str, object]:
    """What was restored and what was left alone, of values that JSON has."""
    rows = [{"path": step.path, "action": step.action, "conflict": step.conflict} for step in steps]
    return {"savepoint": target.id, "steps": rows, "uncovered": plain_savepoint(target)["uncovered"]}


def _row(step: Step) -> str:
    if step.conflict:
        return f"skipped {step.path}: {step.conflict}\n"
    path = f"{step.path}/" if step.is_folder else step.path
    only = "" if step.bits is None or step.blob != step.before else f" (permissions {step.bits:o})"
    return f"{step.action:<7} {path}{only}\n"


def _list(savepoints: Savepoints, form: str) -> None:
    known = savepoints.all()
    if form == "json":
        terminal.emit(json.dumps([plain_savepoint(one) for one in known], indent=2) + "\n", machine=True)
        return
    for one in known:
        mark = "" if one.complete else f"  ({len(one.uncovered)} not covered)"
        terminal.emit(f"{one.id}  {timestamp(one.at)}  {one.label}{mark}\n")


def _from_top(top: Path, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Paths as they are from the top of the repository. Raises Mistake for one that is outside."""
    found = []
    for path in paths:
        full = Path(os.path.normpath(Path.cwd() / path))
        if not full.is_relative_to(top):
            raise Mistake(f"path {path!r} is outside of {top}")
        found.append(full.relative_to(top).as_posix())
    return tuple(found)
