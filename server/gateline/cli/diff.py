"""`gateline diff`: what the change does to each function and file."""

from __future__ import annotations

import click

from gateline.cli import options, terminal
from gateline.cli.output import before_after
from gateline.cli.verdict import judged, tell_problems
from gateline.model import Level
from gateline.session.check import Selection
from gateline.session.tests.testing import Which

_EXAMPLES = """\
\b
Examples:
  gateline diff                   the whole change
  gateline diff --staged src      what a commit would change below src
  gateline diff --base v1.0       everything since v1.0
"""


@click.command(epilog=_EXAMPLES)
@options.paths
@options.base
@options.staged
@click.option(
    "--tests",
    "which",
    type=click.Choice([w.value for w in Which]),
    default=Which.NONE.value,
    show_default=True,
    help="Which tests to run to show the coverage of each function.",
)
@options.overrides
def diff(
    paths: tuple[str, ...], base: str | None, staged: bool, which: str, overrides: tuple[str, ...]
) -> None:
    """Show metrics of changed functions and files.

    Shows complexity by function (with --tests also coverage), and size and maintainability by file. No gate
    decides.
    """
    selection = Selection(base, staged, paths)
    result = judged(selection, Level.FINAL, options.parse_overrides(overrides), Which(which))
    terminal.emit(before_after.render(result))
    tell_problems(result)
