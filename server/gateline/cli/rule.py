"""`gateline rule`: what a code means, offline."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path

import click

from gateline.cli import options, terminal
from gateline.cli.ending import Mistake
from gateline.model.codes import CODES, page_url

_EXAMPLES = """\
\b
Examples:
  gateline rule GTL301     what it finds, why it matters, how to mend and how to silence it
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


def page(code: str) -> str:
    """The page of a code, in Markdown: an installed package carries it, a checkout has it in docs."""
    shipped = files("gateline").joinpath("pages", f"{code}.md")
    beside = Path(__file__).parents[3] / "docs" / "codes" / f"{code}.md"
    for place in (shipped, beside):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    known = CODES[code]
    return f"# {code} {known.name}\n\n{known.summary}\n\nIts page is not installed: {page_url(code)}\n"


def _known(code: str) -> str:
    name = code.strip().upper()
    if name in CODES:
        return name
    from rapidfuzz import process

    by_name = {known.name.upper(): known.code for known in CODES.values()}
    if name in by_name:
        return by_name[name]
    nearest = process.extractOne(name, [*CODES, *by_name], score_cutoff=60)
    hint = f"; did you mean {by_name.get(nearest[0], nearest[0])}?" if nearest else ";"
    raise Mistake(f"there is no code {code!r}{hint} `gateline rule` lists all")


def _show(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    Console(force_terminal=True, no_color=False, width=min(terminal.width(), 100)).print(Markdown(text))
