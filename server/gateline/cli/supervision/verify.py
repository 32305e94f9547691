"""`gateline verify`: whether a specification, a plan, an implementation or a commit is sufficient."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateline.cli import terminal
from gateline.cli.ending import FAILED, PASSED, UNDECIDED, Mistake, Undecided
from gateline.session.errors import UndecidedError, UsageError

if TYPE_CHECKING:
    from gateline.model import Change, Evaluation
    from gateline.refinement.verifier.values import Verification
    from gateline.session.selection import Selection
    from gateline.session.workspace.workspace import Workspace

_EXAMPLES = """\
\b
Examples:
  gateline verify specification docs/tax.md            goal, testable criteria, names that exist
  gateline verify plan plan.md --specification docs/tax.md
  gateline verify implementation --plan plan.md        final gate and planned files
  gateline verify commit --message .git/COMMIT_EDITMSG the index, as git's commit-msg hook

\b
Exits with 0 when it is sufficient, 1 when not, 2 for a usage error, 3 when it is not only because something
could not be measured.
"""
_output = click.option(
    "--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
_file = click.argument("file", type=click.Path(path_type=Path))
_Ask = Callable[["Workspace"], "Verification"]


@click.group(epilog=_EXAMPLES)
def verify() -> None:
    """Check whether a step of a task is sufficient.

    Each failed check has a reason. No language model is used; docs/supervision.md lists the checks.
    """


@verify.command()
@_file
@_output
def specification(file: Path, form: str) -> None:
    """Check a specification: FILE in Markdown."""
    from gateline.session.refinement.gate_points import specified

    _told(_asked(lambda workspace: specified(workspace, file)), form)


@verify.command()
@_file
@click.option(
    "--specification", "spec", type=click.Path(path_type=Path), help="Specification that the plan implements."
)
@_output
def plan(file: Path, spec: Path | None, form: str) -> None:
    """Check a plan: FILE in Markdown, with steps."""
    from gateline.session.refinement.gate_points import planned

    _told(_asked(lambda workspace: planned(workspace, file, spec)), form)


@verify.command()
@click.option("--plan", "file", type=click.Path(path_type=Path), help="Plan whose files are to be changed.")
@click.option("--todo", "todos", multiple=True, metavar="TEXT", help="An open item. Can be repeated.")
@_output
def implementation(file: Path | None, todos: tuple[str, ...], form: str) -> None:
    """Check the change with the final gate, including tests."""
    from gateline.session.refinement.gate_points import implemented
    from gateline.session.selection import Selection

    _told(
        _asked_of(Selection(), lambda evaluation, change: implemented(evaluation, change, file, todos)), form
    )


@verify.command()
@click.option("--message", "file", type=click.Path(path_type=Path), help="File with the commit message.")
@_output
def commit(file: Path | None, form: str) -> None:
    """Check the index and the commit message with the final gate, including tests."""
    from gateline.session.refinement.gate_points import committed
    from gateline.session.selection import Selection

    staged = Selection(staged=True)
    _told(_asked_of(staged, lambda evaluation, change: committed(evaluation, change, file)), form)


def _asked_of(selection: Selection, ask: Callable[[Evaluation, Change], Verification]) -> Verification:
    """What the verifier says of a change at the final gate, and of what it is when that has spoken."""
    from gateline.cli.verdict import judged_once
    from gateline.model.level import Level
    from gateline.session.check import change_of
    from gateline.session.judge.verdict_cache.answers import Asking

    asking = Asking(Path.cwd(), selection, Level.FINAL, None, {}, os.environ)
    evaluation = judged_once(asking).evaluation
    return _asked(lambda workspace: ask(evaluation, change_of(workspace, selection)[1]))


def _asked(ask: _Ask) -> Verification:
    """What the verifier says of the workspace here; what is in the way is told in a sentence."""
    from gateline.session.check import readable_workspace

    try:
        return ask(readable_workspace(Path.cwd(), os.environ))
    except UsageError as error:
        raise Mistake(str(error)) from error
    except UndecidedError as error:
        raise Undecided(str(error)) from error


def _told(found: Verification, form: str) -> None:
    """Write the answer, and end as it says."""
    if form == "json":
        terminal.emit(_as_json(found), machine=True)
    else:
        word = "sufficient" if found.sufficient else "insufficient"
        rows = [f"{found.point}: {word}, {len(found.checks)} checks", *map(str, found.reasons)]
        terminal.emit("".join(f"{terminal.harmless(row)}\n" for row in rows))
    if found.sufficient:
        sys.exit(PASSED)
    sys.exit(UNDECIDED if all(reason.unmeasured for reason in found.reasons) else FAILED)


def _as_json(found: Verification) -> str:
    from gateline.protocol.verification import VerificationResult

    result = VerificationResult.model_validate(found)
    return json.dumps(result.model_dump(mode="json", by_alias=True), indent=2) + "\n"
