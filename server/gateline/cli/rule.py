"""`gateline rule`: what a code means, offline."""

from __future__ import annotations

import sys

import click

from gateline.cli import options, terminal
from gateline.cli.ending import Mistake
from gateline.model.codes import CODES
from gateline.session.errors import UsageError
from gateline.session.rule_pages import code_named, page

_EXAMPLES = """\
\b
Examples:
  gateline rule GTL301     what it finds, why it matters, how to fix and how to silence it
  gateline rule            all codes
"""


@click.command(epilog=_EXAMPLES)
@click.argument("code", required=False)
@options.colour
def rule(code: str | None, colour: str) -> None:
    """Show what a code means; without CODE, list all.

    CODE may also be a name, as in `complex-function`. Needs no network.
    """
    if code is None:
        widest = max(len(known.name) for known in CODES.values())
        rows = (f"{known.code}  {known.name:<{widest}}  {known.summary}\n" for known in CODES.values())
        terminal.emit("".join(rows))
        return
    text = page(_known(code))
    if terminal.wants_colour(colour, sys.stdout):
        _show(text)
    else:
        terminal.emit(text)


def _known(code: str) -> str:
    try:
        return code_named(code)
    except UsageError as error:
        raise Mistake(str(error)) from error


def _show(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    Console(force_terminal=True, no_color=False, width=min(terminal.width(), 100)).print(Markdown(text))
