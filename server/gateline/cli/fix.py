"""`gateline fix`: repair errors, each repair verified before it is shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path
from typing import TextIO

import click

from gateline.cli import options, terminal
from gateline.cli.ending import FAILED, PASSED, Mistake, run
from gateline.repairs.choice import chosen, is_clear
from gateline.repairs.escalation import document
from gateline.repairs.result import DebugResult
from gateline.repairs.rules_of_files import is_test
from gateline.session.errors import UsageError
from gateline.session.fixing import Asked, FixResult
from gateline.session.fixing import fix as look_for_repairs
from gateline.session.writing import write

_EXAMPLES = """\
\b
Examples:
  gateline fix                              what could be repaired in the files of the change
  gateline fix --write src/app.py           repair this file
  pytest 2>&1 | gateline fix --traceback -  repair what the failing tests raised
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
    help="Repair the errors that Python, pytest or unittest printed; - reads standard input.",
)
@click.option("--tests", is_flag=True, help="Run the tests: repair why they fail, and verify by them.")
@click.option("--all", "old", is_flag=True, help="Repair findings of types that the base has as well, too.")
def fix(paths: tuple[str, ...], only_shown: bool, report: TextIO | None, tests: bool, old: bool) -> None:
    """Repair errors of syntax and types.

    PATHS are files or folders; without any, the files of the change are looked at. Of what only the type
    checker reports, new findings are repaired: the base tells. A repair is shown only when it was verified:
    the text parses, the error is gone, and no new one is reported. Where several are as likely, one is shown,
    and none is written. Tests and settings are never edited. What could not be repaired is told, with
    everything that was tried.

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
    terminal.emit("".join(_told(result, only_shown=only_shown)))
    left = result.given_up or result.unclear or (only_shown and result.repaired)
    sys.exit(FAILED if left else PASSED)


def _write(result: FixResult) -> None:
    try:
        write(result.root, result.before, result.after)
    except UsageError as error:
        raise Mistake(str(error)) from error


def _told(result: FixResult, *, only_shown: bool) -> Iterator[str]:
    if only_shown:
        yield from _differences(result)
    for repair in result.repaired:
        yield f"{'can be' if only_shown else 'was'} repaired: {_line(repair)}\n"
        yield from _next_step(repair)
    for unclear in result.unclear:
        yield f"not written: {_line(unclear)}\n  {_guess(unclear)}\n"
    for failure in result.given_up:
        if failure.attempts:
            yield f"\n{document(failure)}"
        else:
            yield f"not repaired: {_line(failure)} ({_why(failure)})\n"
    if not (result.repaired or result.unclear or result.given_up):
        yield "Nothing to repair.\n"
    if result.old:
        found = "1 finding" if result.old == 1 else f"{result.old} findings"
        yield f"{found} of the type checker left as in the base; --all repairs what the base has, too\n"


def _guess(result: DebugResult) -> str:
    repair = chosen(result)
    title = repair.title if repair is not None else "a repair"
    return f"{title}? It is a guess: `gateline fix` without --write shows it, the tests may tell (--tests)"


def _next_step(result: DebugResult) -> Iterator[str]:
    """What is left to the person: nothing is ever installed."""
    repair = chosen(result)
    if repair is not None and repair.pattern == "missing-dependency":
        yield f"  {repair.reason}\n"


def _differences(result: FixResult) -> Iterator[str]:
    """A unified difference, as `git apply` takes it."""
    for path, text in sorted(result.after.items()):
        old, new = (t.splitlines(keepends=True) for t in (result.before[path], text))
        for line in unified_diff(old, new, f"a/{path}", f"b/{path}"):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _why(result: DebugResult) -> str:
    """Why nothing was tried."""
    in_test = is_test(result.problem.path)
    return "tests are not edited to make an error go away" if in_test else "no repair of this is known"


def _line(result: DebugResult) -> str:
    problem = result.problem
    message = terminal.harmless(" ".join(problem.message.split()))
    return f"{problem.path}:{problem.line + 1}: {message}{_proof(result)}"


def _proof(result: DebugResult) -> str:
    """How far a repair was verified, and whether another one was as likely."""
    if result.proof is None:
        return ""
    return f" [{result.proof.name}]" if is_clear(result) else f" [{result.proof.name}, one of several]"
