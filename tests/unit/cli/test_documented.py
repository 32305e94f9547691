"""`docs/cli.md` knows every command and option."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from gateline.cli.commands import main
from gateline.cli.output import FORMATS

PAGE = (Path(__file__).parents[3] / "docs/cli.md").read_text(encoding="utf-8")


def commands(group: click.Group, above: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{above} {name}")
        else:
            yield f"{above} {name}", command


ALL = dict(commands(main, "gateline"))


@pytest.mark.parametrize("name", ALL)
def test_every_command_is_on_the_page(name: str) -> None:
    assert name in PAGE


@pytest.mark.parametrize(
    "option",
    sorted({o for c in ALL.values() for p in c.params if isinstance(p, click.Option) for o in p.opts}),
)
def test_every_option_is_on_the_page(option: str) -> None:
    assert option in PAGE


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_on_the_page(name: str) -> None:
    assert f"| `{name}` |" in PAGE
