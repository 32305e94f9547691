"""The memory of the workspace of a command, and the place that its options name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gateline.cli.ending import Mistake, Undecided
from gateline.memory.lesson import Anchor
from gateline.session.errors import UsageError
from gateline.session.workspace.roots import find_root
from gateline.store.database import StoreError

if TYPE_CHECKING:
    from gateline.session.memory.memory import Memory

output = click.option(
    "--output", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)


def place(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that name what a lesson is about."""
    for option in (
        click.option("--rule", default="", metavar="CODE", help="A code, such as GTL301 or arg-type."),
        click.option("--symbol", default="", metavar="NAME", help="A function or class, such as Cart.total."),
        click.option("--file", default="", metavar="PATH", help="A file of the workspace."),
    ):
        command = option(command)
    return command


@contextmanager
def memory_here(*, meaning: bool) -> Iterator[Memory]:
    """The memory of the workspace around the current folder. `meaning`: with what makes vectors."""
    from gateline.session.memory.memory import memory_of

    root = find_root(Path.cwd())
    try:
        found = _makers(root) if meaning else ()
        with memory_of(root, found) as memory:
            yield memory
    except UsageError as error:
        raise Mistake(str(error)) from error
    except StoreError as error:
        raise Undecided(str(error)) from error


def anchor_here(file: str, symbol: str, rule: str) -> Anchor:
    """The anchor that options name; the file is found from the current folder. Raises Mistake."""
    if not file:
        return Anchor("", symbol, rule)
    root = find_root(Path.cwd())
    full = Path(os.path.normpath(Path.cwd() / file))
    if not full.is_relative_to(root):
        raise Mistake(f"--file {file!r} is outside of {root}")
    return Anchor(full.relative_to(root).as_posix(), symbol, rule)


def branch_here() -> str:
    """The branch that is checked out; empty where there is none."""
    from gateline.session.workspace.branch import branch_at

    return branch_at(find_root(Path.cwd()))


def _makers(root: Path) -> tuple[Any, ...]:
    from gateline.session.memory.embedding import makers
    from gateline.session.workspace.workspace import open_workspace

    settings = open_workspace(root, os.environ).loaded.settings.context
    return makers(settings, root, os.environ, trusted=False)[0]
