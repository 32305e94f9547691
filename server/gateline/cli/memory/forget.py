"""`gateline forget`: delete lessons."""

from __future__ import annotations

import click

from gateline.cli import terminal
from gateline.cli.ending import Mistake
from gateline.cli.memory.opened import memory_here
from gateline.cli.output.lessons import told_history

_EXAMPLES = """\
\b
Examples:
  gateline forget 3f9c1a2b             with all of its versions
  gateline forget 3f9c1a2b --history   show them, and delete nothing
  gateline forget --stale              all whose file or symbol is gone
"""


@click.command(epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option("--stale", is_flag=True, help="Those whose file or symbol is gone.")
@click.option("--history", is_flag=True, help="Show the versions that would go; delete nothing.")
def forget(names: tuple[str, ...], stale: bool, history: bool) -> None:
    """Delete lessons, with all of their versions.

    ID is an identifier or how it begins. Nothing else deletes a lesson: no agent can.
    """
    if bool(names) == stale:
        raise Mistake("give the IDs of lessons, or --stale: gateline forget 3f9c1a2b")
    with memory_here(meaning=False) as memory:
        wanted = [one.lesson.id for one in memory.all() if one.stale] if stale else list(names)
        if history:
            for name in wanted:
                terminal.emit(told_history(*memory.history(name)))
            return
        for lesson in memory.forget(wanted):
            terminal.emit(f"forgot {lesson.id}: {terminal.harmless(lesson.note.text)}\n")
    if stale and not wanted:
        terminal.emit("no lesson is stale\n")
