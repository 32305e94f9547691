"""The arguments and options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gateline.cli.ending import Mistake
from gateline.model.level import Level

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

paths = click.argument("paths", nargs=-1)
base = click.option("--base", metavar="REF", help="Compare with the merge-base of HEAD and REF.")
staged = click.option(
    "--staged", is_flag=True, help="Judge exactly what is in the index, as a commit would hold it."
)
everything = click.option(
    "--all", "everything", is_flag=True, help="Judge every file of the project; every finding counts as new."
)
colour = click.option(
    "--color",
    "colour",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="When to use colours; NO_COLOR and FORCE_COLOR are respected.",
)
overrides = click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="KEY=VALUE",
    help="Override a setting, as in --set gates.final-accept=90. Can be repeated.",
)


python = click.option(
    "--python",
    metavar="PATH",
    help="The project's interpreter, or the folder of its environment.  [default: detected, see `doctor`]",
)


def with_python(given: dict[str, object], python: str | None) -> dict[str, object]:
    """The overrides with that interpreter; a path is one from where the person is."""
    if not python:
        return given
    path = Path(python).expanduser()
    return {**given, "python": str(path.absolute()) if path.exists() else python}


def level(default: Level) -> Callable[[Decorated], Decorated]:
    """The option that names the checkpoint."""
    return click.option(
        "--level",
        type=click.Choice([level.value for level in Level]),
        default=default.value,
        show_default=True,
        help="Checkpoint to judge at.",
    )


def parse_overrides(given: tuple[str, ...]) -> dict[str, object]:
    """`KEY=VALUE` pairs; values stay text, and the settings read them. Raises Mistake."""
    pairs: dict[str, object] = {}
    for text in given:
        key, found, value = text.partition("=")
        if not found or not key.strip():
            raise Mistake(f"--set {text!r} is not KEY=VALUE; see `gateline config show` for the keys")
        pairs[key.strip()] = value.strip()
    return pairs
