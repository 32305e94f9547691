"""`gateline init`: settings to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from gateline.cli.ending import Mistake

_TABLE = """
[tool.gateline]
# Everything has a default; `gateline config show --origin` lists all.
# base = "origin/main"           # default: the merge-base with the default branch
# exclude = ["generated/**"]

[tool.gateline.gates]
final-accept = 85                # a score from here on is accepted
final-conditional = 70           # from here on with conditions
"""


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
def init(yes: bool) -> None:
    """Add a table of settings to pyproject.toml. Shows what it would write, then asks."""
    file = Path("pyproject.toml")
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if "[tool.gateline" in text:
        raise Mistake(f"{file} has a [tool.gateline] table already; edit it, or see `gateline config show`")
    click.echo(f"{file} would get:\n{_TABLE}")
    if yes or click.confirm("Write it?"):
        file.write_text(text.rstrip("\n") + "\n" * bool(text) + _TABLE, encoding="utf-8")
        click.echo(f"written to {file}; now try `gateline check`")
