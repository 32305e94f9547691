"""`gateline config`: which settings are in force."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from gateline.cli.ending import USAGE


@click.group()
def config() -> None:
    """Look at the settings."""


@config.command()
@click.option("--origin", is_flag=True, help="Say where each value comes from.")
def show(origin: bool) -> None:
    """Show every setting in force here, as TOML with dotted keys."""
    from gateline.session.roots import find_root
    from gateline.session.settings import load_settings

    loaded = load_settings(find_root(Path.cwd()), os.environ, {})
    for key, value in _leaves(loaded.settings.model_dump(by_alias=True, mode="json"), ""):
        source = f"  # {loaded.origins.get(key, 'default')}" if origin else ""
        click.echo(f"{key} = {json.dumps(value)}{source}")
    for problem in loaded.problems:
        click.echo(f"gateline: {problem.text}", err=True)
    sys.exit(USAGE if loaded.problems else 0)


def _leaves(table: dict[str, object], prefix: str) -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{key}.")
        elif value is not None:
            yield f"{prefix}{key}", value
