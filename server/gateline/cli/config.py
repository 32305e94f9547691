"""`gateline config`: which settings are in force."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from gateline.cli import options, terminal
from gateline.cli.ending import USAGE

_EXAMPLES = """\
\b
Examples:
  gateline config show
  gateline config show --origin     with file and line, environment variable, or `default`
"""


@click.group()
def config() -> None:
    """Show the settings."""


@config.command(epilog=_EXAMPLES)
@click.option("--origin", is_flag=True, help="Show the origin of each value.")
@options.overrides
def show(origin: bool, overrides: tuple[str, ...]) -> None:
    """Show every setting in force here, as TOML with dotted keys.

    A change is judged by the settings of its base.
    """
    from gateline.session.workspace.roots import find_root
    from gateline.session.workspace.workspace import open_workspace

    root, told = find_root(Path.cwd()), options.parse_overrides(overrides)
    loaded = open_workspace(root, os.environ, told).in_force().loaded
    lines = []
    for key, value in _leaves(loaded.settings.model_dump(by_alias=True, mode="json"), ""):
        source = f"  # {loaded.origins.get(key, 'default')}" if origin else ""
        lines.append(f"{key} = {_toml(value)}{source}\n")
    terminal.emit("".join(lines))
    for problem in loaded.problems:
        click.echo(f"gateline: {problem.origin}: {problem.text}", err=True)
    sys.exit(USAGE if loaded.problems else 0)


def _leaves(table: dict[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{key}.")
        elif value is not None:
            yield f"{prefix}{key}", value


def _toml(value: object) -> str:
    """A value as TOML: like JSON, but for tables."""
    if isinstance(value, dict):
        inside = ", ".join(f"{key} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inside} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
