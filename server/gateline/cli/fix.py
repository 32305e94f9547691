"""`gateline fix`: repair errors, each repair verified before it is shown."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

import click

from gateline.cli import options, terminal
from gateline.cli.ending import FAILED, PASSED, Mistake, run
from gateline.cli.output.fixes import told

_PATIENCE = 120.0
"""Seconds in which an engine answers."""
_EXAMPLES = """\
\b
Examples:
  gateline fix                              show repairs for the files of the change
  gateline fix --write src/app.py           repair this file
  pytest 2>&1 | gateline fix --traceback -  repair what the failing tests raised
  mypy src | gateline fix --traceback -     repair what the type checker printed
  gateline fix --tests src/app.py           run the tests, and repair their failures too
  gateline fix --all src                    also repair errors that the base has
"""


@click.command(epilog=_EXAMPLES)
@options.paths
@click.option(
    "--diff/--write",
    "only_shown",
    default=True,
    help="Show the repairs as a diff, or write them.  [default: --diff]",
)
@click.option(
    "--traceback",
    "report",
    type=click.File(errors="replace"),
    metavar="FILE",
    help="Repair the errors that Python, pytest, unittest or a type checker printed; - reads standard input.",
)
@click.option(
    "--tests/--no-tests",
    default=None,
    help="Run the tests, repair their failures, and verify repairs with them.  "
    "[default: the tests named in a traceback]",
)
@click.option(
    "--explain", is_flag=True, help="List every attempt for each error that was not repaired, as Markdown."
)
@click.option("--all", "old", is_flag=True, help="Also repair type errors that the base already has.")
@click.option(
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Schema of json: schemas/protocol/fix.result.json.",
)
def fix(
    paths: tuple[str, ...],
    only_shown: bool,
    report: TextIO | None,
    tests: bool | None,
    explain: bool,
    old: bool,
    output: str,
) -> None:
    """Repair errors of syntax and types.

    PATHS are files or folders; the default is the files of the change. Type errors are repaired only where
    they are new against the base. A repair is shown only after verification: the text parses, the error is
    gone, and no new one is reported. Where several repairs are equally likely, one is shown and none is
    written. Tests and settings are never edited. Errors without a repair are summarised; --explain lists
    every attempt.

    V1: verified as above. V2: and the tests that execute the edited lines pass. V3: and a test passes that
    failed before.
    """
    if paths and report is not None:
        raise Mistake("--traceback already names the files; remove the paths")
    asks = report is None and not tests
    found = _asked(paths, clear=not only_shown, old=old) if asks else None
    if found is None:
        text = None if report is None else report.read()
        found = _searched(paths, text, tests=tests, clear=not only_shown, old=old)
    root, answer = found
    if not only_shown:
        _write(root, answer)
    if output == "json":
        terminal.emit(json.dumps(answer, indent=2, ensure_ascii=False) + "\n", machine=True)
    else:
        terminal.emit("".join(told(answer, only_shown=only_shown, explained=explain)))
    outcomes = {row["outcome"] for row in answer["problems"]}
    left = outcomes - ({"repaired"} if not only_shown else set())
    sys.exit(FAILED if left else PASSED)


def _asked(paths: tuple[str, ...], *, clear: bool, old: bool) -> tuple[Path, dict[str, Any]] | None:
    """The root, and what the resident engine answers; None where none runs, or it cannot say.

    An editor's session is not asked: its unsaved texts are not what is on the disk.
    """
    from gateline.resident.connection import NotAnsweredError, connect
    from gateline.resident.registration import ENGINE
    from gateline.resident.root import root_of

    cwd = Path.cwd()
    root = root_of(str(cwd))
    # Not resolved: the engine refuses links as the search here does.
    named = [os.path.relpath(cwd / path, root) for path in paths]
    try:
        with connect(root, start=False) as session:
            if session.registration.kind != ENGINE:
                return None
            given = {"uri": Path(root).as_uri(), "paths": named, "clear": clear, "all": old}
            with terminal.progress() as tell:
                tell("asking the resident engine")
                return Path(root), session.ask("gateline/fix", given, _PATIENCE)
    except NotAnsweredError:
        return None  # What stands against it is told by the search here.


def _searched(
    paths: tuple[str, ...], report: str | None, *, tests: bool | None, clear: bool, old: bool
) -> tuple[Path, dict[str, Any]]:
    """The root, and what is found by processes of its own. Raises Mistake and Undecided."""
    from gateline.session.repairs.fixing import Asked, fix
    from gateline.session.repairs.wire import fix_to_wire

    asked = Asked(tests, clear=clear, old=old)
    with terminal.progress() as tell:
        result = run(fix(Path.cwd(), paths, report=report, asked=asked, tell=tell, environ=os.environ))
    return result.root, fix_to_wire(result).model_dump(mode="json", by_alias=True)


def _write(root: Path, answer: dict[str, Any]) -> None:
    from gateline.session.errors import UsageError
    from gateline.session.repairs.file_writing import write

    before, after = ({row["path"]: row[key] for row in answer["texts"]} for key in ("before", "after"))
    try:
        write(root, before, after)
    except UsageError as error:
        raise Mistake(str(error)) from error
    _remember(root, answer)


def _remember(root: Path, answer: dict[str, Any]) -> None:
    """How errors were repaired, for what recurs."""
    repaired = [row for row in answer["problems"] if row["outcome"] == "repaired" and row["title"]]
    if not repaired:
        return
    # Late: most runs repair nothing.
    from gateline.memory.recurring import Fix
    from gateline.model import digest_of
    from gateline.session.memory.fixes import fixed

    content = digest_of("\n".join(row["before"] for row in answer["texts"]))
    fixes = [Fix(row["message"], row["title"], row["path"]) for row in repaired]
    if trouble := fixed(root, f"fix {content}", fixes):
        click.echo(trouble, err=True)
