"""`gateline remember`: keep what was learned."""

from __future__ import annotations

import json

import click

from gateline.cli import terminal
from gateline.cli.memory.opened import anchor_here, memory_here, output, place
from gateline.cli.output.lessons import plain, told_stored

_EXAMPLES = """\
\b
Examples:
  gateline remember "Prices are rounded half up: the bank refuses other totals" --tag money
  gateline remember "Never retry this call: it books twice" --file src/bank.py --symbol transfer
  gateline remember "The warning is a false one in generated code" --rule GTL410
"""


@click.command(epilog=_EXAMPLES)
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--tag", "tags", multiple=True, metavar="TAG", help="A tag to find the lesson by. Can be repeated."
)
@place
@output
def remember(
    text: tuple[str, ...], tags: tuple[str, ...], file: str, symbol: str, rule: str, form: str
) -> None:
    """Store a lesson about this workspace.

    A known lesson is not stored twice. A text on the subject of a stored lesson becomes its new version, and
    the old version is kept. With `-` as TEXT, standard input is read. Texts with secrets are refused.
    """
    from gateline.memory.lesson import Note

    said = terminal.given() if text == ("-",) else " ".join(text)
    note = Note(said, tags, anchor_here(file, symbol, rule))
    with memory_here(meaning=True) as memory:
        memory.anchors.checked(note.anchor)
        stored = memory.remember(note)
    if form == "json":
        told = {"outcome": str(stored.outcome), "reason": stored.reason, "lesson": plain(stored.lesson)}
        terminal.emit(json.dumps(told, indent=2) + "\n", machine=True)
        return
    terminal.emit(told_stored(stored))
