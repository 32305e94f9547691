"""`gateline context`: the passages of the workspace that matter for words or for a place."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateline.cli import terminal
from gateline.cli.ending import Mistake
from gateline.cli.output import context as output
from gateline.session.errors import UsageError
from gateline.session.workspace.roots import find_root

if TYPE_CHECKING:
    from gateline.context.values import Answer
    from gateline.session.context.local import LocalSemantic
    from gateline.session.context.retriever import Retrieval
    from gateline.session.workspace.workspace import Workspace

_BUDGET = 4_000
_At = tuple[str, int, int | None]
"""A path from the root, a zero-based line, and a zero-based column if one was given."""
_PLACE = re.compile(r"(?P<name>.+?):(?P<line>[1-9]\d*)(?::(?P<column>[1-9]\d*))?")
_HELP_AT = "Show the code needed to change this line; with a column, the symbol there comes first."
_EXAMPLES = """\
\b
Examples:
  gateline context "where are prices rounded"
  gateline context --at src/cart.py:42 --output markdown
  gateline context --at src/cart.py:42:17   the symbol at this column first
  gateline context status       files, chunks, size and location of the index
  gateline context clear        delete the index
"""


@click.command(epilog=_EXAMPLES)
@click.argument("words", nargs=-1)
@click.option("--at", "place", metavar="FILE:LINE[:COLUMN]", help=_HELP_AT)
@click.option(
    "--budget",
    type=click.IntRange(50),
    default=_BUDGET,
    show_default=True,
    help="Approximate limit of tokens.",
)
@click.option(
    "--limit", type=click.IntRange(1, 200), default=10, show_default=True, help="Largest number of passages."
)
@click.option(
    "--want",
    type=click.Choice(["code", "tests", "docs", "any"]),
    default="code",
    show_default=True,
    help="Kind of passages to rank first.",
)
@click.option(
    "--output", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True
)
@click.option(
    "--embed", is_flag=True, help="First compute missing vectors of the semantic tier; takes minutes once."
)
def context(
    words: tuple[str, ...], place: str | None, budget: int, limit: int, want: str, form: str, embed: bool
) -> None:
    """Show relevant passages of the workspace, each with the reason.

    WORDS are a query in words or code. --at shows what belongs to a line: the definition around it, what it
    calls, its callers, tests and documents. `status` and `clear` alone are commands. The index is in the
    user's cache and is updated first.
    """
    if words in (("status",), ("clear",)) and not place:
        _keep(words[0])
        return
    if bool(words) == bool(place):
        raise Mistake('give a query, or --at FILE:LINE: gateline context "where are prices rounded"')
    root = find_root(Path.cwd())
    at = _place(root, place) if place else None
    with terminal.progress() as tell:
        workspace, found, semantic = _opened(root)
        found.refresh(tell=lambda done, of: tell(f"reading {done} of {of} files"))
        found.save()
        if embed:
            semantic.embed(lambda done, of: tell(f"embedding {done} of {of} texts"))
    if found.message:
        click.echo(found.message, err=True)
    if at is not None:
        answer = _around(workspace, found, at, budget)
    else:
        from gateline.context.values import Question, Want

        answer = semantic.search(Question(" ".join(words), want=Want(want), limit=limit), budget)
    terminal.emit(output.FORMATS[form](answer), machine=form != "text")


def _around(workspace: Workspace, found: Retrieval, at: _At, budget: int) -> Answer:
    """What belongs to a place, with what the names there mean."""
    from gateline.session.context.resolving import resolved_once

    path, line, column = at
    places = found.places(path, line, column)
    resolved = asyncio.run(resolved_once(workspace, places))
    return found.for_position(path, line, budget, column, resolved)


def _opened(root: Path) -> tuple[Workspace, Retrieval, LocalSemantic]:
    """A workspace, its retrieval, and its semantic tier. Raises Mistake when it is switched off."""
    from gateline.session.context.local import LocalSemantic
    from gateline.session.context.setup import retrieval_in
    from gateline.session.workspace.workspace import open_workspace

    try:
        workspace = open_workspace(root, os.environ)
    except UsageError as error:
        raise Mistake(str(error)) from error
    found = retrieval_in(workspace)
    if found is None:
        raise Mistake("context.enabled is false in the settings of this workspace")
    return workspace, found, LocalSemantic(found, workspace, os.environ)


def _keep(word: str) -> None:
    _, found, _ = _opened(find_root(Path.cwd()))
    if word == "clear":
        terminal.emit(f"removed {found.store.clear() / 1e6:.2f} MB from {found.store.folder}\n")
        return
    status = found.status()
    tiers = "".join(f", {count} of them with {tier} vectors" for tier, count in status.tiers.items())
    terminal.emit(f"{status.chunks} chunks of {status.files} files{tiers}\n")
    terminal.emit(f"{status.size / 1e6:.2f} MB in {status.folder}\n")
    if status.message:
        terminal.emit(f"{status.message}\n")


def _place(root: Path, given: str) -> _At:
    """The place that was given. Raises Mistake."""
    match = _PLACE.fullmatch(given)
    if match is None:
        raise Mistake(f"--at {given!r} is not FILE:LINE, as in --at src/cart.py:42")
    name, line = match["name"], int(match["line"])
    full = Path(os.path.normpath(Path.cwd() / name))
    if not full.is_file():
        raise Mistake(f"--at {given!r}: there is no file {name!r}")
    if not full.is_relative_to(root):
        raise Mistake(f"--at {given!r} is outside of {root}")
    lines = full.read_bytes().count(b"\n") + 1
    if line > lines:
        raise Mistake(f"--at {given!r}: {name!r} has {lines - 1} lines")
    column = int(match["column"]) - 1 if match["column"] else None
    return full.relative_to(root).as_posix(), line - 1, column
