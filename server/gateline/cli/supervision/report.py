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
  gateline report                      write gateline-report.html to the current folder
  gateline report --to docs/gate.html  write to this file
  gateline report --to -               write to standard output
"""


@click.command(epilog=_EXAMPLES)
@click.option(
    "--to",
    "file",
    default="gateline-report.html",
    show_default=True,
    metavar="FILE",
    help="File to write.",
)
def report(file: str) -> None:
    """Write one HTML page about the work so far.

    Shows the trend of scores, reasons of failed gates, slowest steps, applied repairs, saved time, tasks and
    evals, from the records in your own state folder; missing data is named. The page loads nothing from the
    network and follows the reader's light or dark scheme.
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
