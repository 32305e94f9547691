"""`gateline fix`: repair errors, each repair verified before it is shown."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

import click

from gateline.cli import options, terminal
from gateline.cli.ending import FAILED, PASSED, Mistake, run
from gateline.cli.output.fixes import told
from gateline.session.errors import UsageError
from gateline.session.repairs.file_writing import write
from gateline.session.repairs.fixing import Asked, FixResult
from gateline.session.repairs.fixing import fix as look_for_repairs

_EXAMPLES = """\
\b
Examples:
  gateline fix                              what could be repaired in the files of the change
  gateline fix --write src/app.py           repair this file
  pytest 2>&1 | gateline fix --traceback -  repair what the failing tests raised
  mypy src | gateline fix --traceback -     repair what the type checker printed
  gateline fix --tests src/app.py           repair why tests fail, too; they are run
  gateline fix --all src                    what the base has as well, too
"""


@click.command(epilog=_EXAMPLES)
@options.paths
@click.option(
    "--diff/--write", "only_shown", default=True, help="Show repairs, or make them.  [default: --diff]"
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
    help="Run the tests: repair why they fail, and verify by them.  [default: those that a report names]",
)
@click.option("--explain", is_flag=True, help="Tell every attempt of what was not repaired, as Markdown.")
@click.option("--all", "old", is_flag=True, help="Repair findings of types that the base has as well, too.")
def fix(
    paths: tuple[str, ...],
    only_shown: bool,
    report: TextIO | None,
    tests: bool | None,
    explain: bool,
    old: bool,
) -> None:
    """Repair errors of syntax and types.

    PATHS are files or folders; without any, the files of the change are looked at. Of what only the type
    checker reports, new findings are repaired: the base tells. A repair is shown only when it was verified:
    the text parses, the error is gone, and no new one is reported. Where several are as likely, one is shown,
    and none is written. Tests and settings are never edited. What could not be repaired is told in short, and
    with --explain as everything that was tried.

    V1: all this holds. V2: and the tests pass that execute what was touched. V3: and one passes that failed.
    """
    if paths and report is not None:
        raise Mistake("--traceback says itself which file is meant; leave out the paths")
    text = None if report is None else report.read()
    asked = Asked(tests, clear=not only_shown, old=old)
    with terminal.progress() as tell:
        result = run(
            look_for_repairs(Path.cwd(), paths, report=text, asked=asked, tell=tell, environ=os.environ)
        )
    if not only_shown:
        _write(result)
    terminal.emit("".join(told(result, only_shown=only_shown, explained=explain)))
    left = result.given_up or result.unclear or (only_shown and result.repaired)
    sys.exit(FAILED if left else PASSED)


def _write(result: FixResult) -> None:
    try:
        write(result.root, result.before, result.after)
    except UsageError as error:
        raise Mistake(str(error)) from error
