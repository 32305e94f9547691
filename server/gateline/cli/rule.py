"""`gateline rule`: what a code means, offline."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import click
from rapidfuzz import process

from gateline.cli.ending import Mistake
from gateline.model.codes import CODES


@click.command()
@click.argument("code", required=False)
def rule(code: str | None) -> None:
    """Show the page of a code, as in `gateline rule GTL301`; without a code, the list of all."""
    if code is None:
        for known in CODES.values():
            click.echo(f"{known.code}  {known.name:<20} {known.summary}")
        return
    name = code.upper()
    if name not in CODES:
        nearest = process.extractOne(name, list(CODES))
        hint = f"; did you mean {nearest[0]}?" if nearest else ""
        raise Mistake(f"there is no code {code!r}{hint} `gateline rule` lists all")
    click.echo(page(name), nl=False)


def page(code: str) -> str:
    """The page of a code, in Markdown: an installed package carries it, a checkout has it in docs."""
    shipped = files("gateline").joinpath("pages", f"{code}.md")
    if shipped.is_file():
        return shipped.read_text(encoding="utf-8")
    return (Path(__file__).parents[3] / "docs" / "codes" / f"{code}.md").read_text(encoding="utf-8")
