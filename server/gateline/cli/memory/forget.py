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
  gateline forget 3f9c1a2b             one lesson with all its versions
  gateline forget 3f9c1a2b --history   list the versions without deleting
  gateline forget --stale              all lessons whose file or symbol was removed
"""


@click.command(epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[ID]...")
@click.option("--stale", is_flag=True, help="Delete lessons whose file or symbol was removed.")
@click.option("--history", is_flag=True, help="List the versions that would be deleted, without deleting.")
def forget(names: tuple[str, ...], stale: bool, history: bool) -> None:
    """Delete lessons with all their versions.

    ID is an identifier or a prefix of one. Only this command deletes lessons; an agent cannot.
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
