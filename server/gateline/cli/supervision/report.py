"""`gateline report`: a page about the work in this workspace."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from gateline.atomic_file import replace_file
from gateline.cli import terminal
from gateline.cli.ending import Mistake, Undecided
from gateline.session.workspace.roots import find_root
from gateline.store.database import StoreError

_READABLE = 0o644
_EXAMPLES = """\
\b
Examples:
  gateline report                      writes gateline-report.html here
  gateline report --to docs/gate.html  and there
  gateline report --to -               to standard output
"""


@click.command(epilog=_EXAMPLES)
@click.option(
    "--to",
    "file",
    default="gateline-report.html",
    show_default=True,
    metavar="FILE",
    help="Where it is written.",
)
def report(file: str) -> None:
    """Write one HTML page about the work so far.

    The trend of scores, what broke gates, the slowest steps, repairs taken, time saved, tasks, evals. It is
    taken from what is recorded in your own state folder; what was not measured is said. The page loads
    nothing from elsewhere, and follows the reader's light or dark scheme.
    """
    from gateline.cli.output.page.report import page
    from gateline.session.observability.history import history

    root = find_root(Path.cwd())
    try:
        text = page(root.name, history(root), datetime.now(UTC))
    except StoreError as error:
        raise Undecided(str(error)) from error
    if file == "-":
        terminal.emit(text, machine=True)
        return
    try:
        replace_file(file, text.encode(), _READABLE)
    except OSError as error:
        raise Mistake(f"--to {file}: {error.strerror}") from error
    terminal.emit(f"written: {terminal.harmless(file)}\n")
