"""`gateline check`: judge the change."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gateline.cli import terminal
from gateline.cli.ending import USAGE, Mistake, exit_code, run
from gateline.cli.output import FORMATS, renderer
from gateline.model import Level
from gateline.session.check import CheckResult, Selection
from gateline.session.check import check as judge

LEVELS = click.Choice([level.value for level in Level])
COLOURS = click.Choice(["auto", "always", "never"])


def settings_option(command: Any) -> Any:
    """The option that overrides a setting."""
    return click.option(
        "--set",
        "overrides",
        multiple=True,
        metavar="KEY=VALUE",
        help="Override a setting: types.engine=both.",
    )(command)


@click.command()
@click.argument("paths", nargs=-1)
@click.option("--base", metavar="REF", help="Measure against the merge-base with REF.")
@click.option("--staged", is_flag=True, help="Judge what is in the index, exactly: for a pre-commit hook.")
@click.option("--all", "everything", is_flag=True, help="Judge every file of the project as if it were new.")
@click.option("--level", type=LEVELS, default="final", show_default=True, help="Which checkpoint this is.")
@click.option(
    "--output",
    "outputs",
    multiple=True,
    metavar="FORMAT[=FILE]",
    help=f"One of {', '.join(FORMATS)}; several may be given, with files.  [default: full]",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever the gate says (not for mistakes).")
@click.option(
    "--color", "colour", type=COLOURS, default="auto", show_default=True, help="When to use colours."
)
@settings_option
def check(
    paths: tuple[str, ...],
    base: str | None,
    staged: bool,
    everything: bool,
    level: str,
    outputs: tuple[str, ...],
    exit_zero: bool,
    colour: str,
    overrides: tuple[str, ...],
) -> None:
    r"""Judge the change: everything that differs from the base, saved or staged or not yet tracked.

    \b
    Examples:
      gateline check                             the whole change, as before a merge
      gateline check --level early src/app.py    one file, while it is being written
      gateline check --staged                    what a commit would hold
      gateline check --output github --output sarif=gateline.sarif
    """
    wanted = [_output(text) for text in outputs or ("full",)]
    if staged and everything:
        raise Mistake("--staged and --all exclude each other: the index is a change, --all is every file")
    selection = Selection(base, staged, paths, everything)
    result = judged(selection, Level(level), parse_overrides(overrides))
    for name, file in wanted:
        _write(result, name, file, colour)
    tell_problems(result)
    if result.settings_problems and exit_code(result.evaluation) == 0 and not exit_zero:
        sys.exit(USAGE)
    sys.exit(0 if exit_zero else exit_code(result.evaluation))


def judged(selection: Selection, level: Level, overrides: Mapping[str, object]) -> CheckResult:
    """Judge from the current folder, with progress on a terminal."""
    with terminal.progress() as tell:
        return run(
            judge(Path.cwd(), selection, level, overrides=overrides, on_progress=tell, environ=os.environ)
        )


def parse_overrides(given: tuple[str, ...]) -> dict[str, object]:
    """`KEY=VALUE` pairs; values stay text, and the settings read them."""
    pairs: dict[str, object] = {}
    for text in given:
        key, found, value = text.partition("=")
        if not found or not key:
            raise Mistake(f"--set {text!r} is not KEY=VALUE; see `gateline config show` for the keys")
        pairs[key.strip()] = value.strip()
    return pairs


def tell_problems(result: CheckResult) -> None:
    """Mistakes in the settings, on standard error."""
    for problem in result.settings_problems:
        click.echo(f"gateline: {problem.text}", err=True)


def _output(text: str) -> tuple[str, str]:
    name, _, file = text.partition("=")
    if name not in FORMATS:
        raise Mistake(f"--output {name!r} is no format; there are {', '.join(FORMATS)}")
    return name, file


def _write(result: CheckResult, name: str, file: str, colour: str) -> None:
    if name == "full":
        from gateline.cli.output import full

        in_colour = not file and terminal.wants_colour(colour, sys.stdout)
        text = full.render(result, colour=in_colour, width=terminal.width())
    else:
        text = renderer(name)(result)
    if file:
        try:
            Path(file).write_text(text, encoding="utf-8")
        except OSError as error:
            raise Mistake(f"{file} cannot be written: {error.strerror}") from error
    else:
        sys.stdout.write(text)
