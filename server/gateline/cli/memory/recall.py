"""`gateline recall`: find what was learned, list it, carry it elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateline.cli import terminal
from gateline.cli.ending import Mistake
from gateline.cli.memory.opened import anchor_here, branch_here, memory_here, output, place
from gateline.cli.output.lessons import plain_found, plain_history, told_found, told_history, told_list

if TYPE_CHECKING:
    from gateline.memory.ranking import Handout

_EXAMPLES = """\
\b
Examples:
  gateline recall                          all lessons
  gateline recall how are prices rounded
  gateline recall --file src/bank.py --symbol transfer
  gateline recall --history 3f9c1a2b       all versions of a lesson
  gateline recall --export lessons.jsonl
  gateline recall --import lessons.jsonl
"""


@click.command(epilog=_EXAMPLES)
@click.argument("words", nargs=-1, metavar="[QUERY]...")
@place
@click.option(
    "--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="Largest number of lessons."
)
@click.option(
    "--budget", type=click.IntRange(20), default=500, show_default=True, help="Approximate limit of tokens."
)
@click.option("--history", default="", metavar="ID", help="Show all versions of a lesson.")
@click.option(
    "--helped", multiple=True, metavar="ID", help="Record that a lesson helped, which ranks it higher."
)
@click.option(
    "--export", "target", metavar="FILE", help="Write all lessons as JSON lines; - is standard output."
)
@click.option(
    "--import", "origin", metavar="FILE", help="Read lessons from an exported file; - is standard input."
)
@output
def recall(
    words: tuple[str, ...],
    file: str,
    symbol: str,
    rule: str,
    limit: int,
    budget: int,
    history: str,
    helped: tuple[str, ...],
    target: str | None,
    origin: str | None,
    form: str,
) -> None:
    """Show lessons of this workspace.

    Without QUERY it lists all lessons, otherwise those that answer it. A lesson whose file or symbol was
    removed is stale: it is listed, but not given to agents.
    """
    anchor = anchor_here(file, symbol, rule)
    asked = bool(words) or bool(anchor)
    if asked + bool(history) + bool(helped) + bool(target) + bool(origin) > 1:
        raise Mistake("give a question, or one of --history, --helped, --export and --import")
    if target:
        _write(target)
    elif origin:
        _read(origin)
    elif history:
        with memory_here(meaning=False) as memory:
            lesson, versions = memory.history(history)
        rows = plain_history(lesson, versions)
        _tell(json.dumps(rows, indent=2) + "\n" if form == "json" else told_history(lesson, versions), form)
    elif helped:
        with memory_here(meaning=False) as memory:
            for lesson in memory.helped(helped):
                terminal.emit(f"{lesson.id} helped {lesson.helped + 1} times, of {lesson.uses} uses\n")
    elif asked:
        from gateline.session.memory.requests import Recall

        with memory_here(meaning=bool(words)) as memory:
            out = memory.recall(Recall(" ".join(words), anchor, limit, budget, "recall", branch_here()))
        _tell(_answer(out, form), form)
    else:
        with memory_here(meaning=False) as memory:
            found = memory.all()
        _tell(
            json.dumps([plain_found(one) for one in found], indent=2) + "\n"
            if form == "json"
            else told_list(found),
            form,
        )


def _answer(out: Handout, form: str) -> str:
    if form == "json":
        rows = [plain_found(one) for one in out.found]
        said = {"lessons": rows, "leftOut": out.left_out, "tokens": out.tokens, "stale": len(out.stale)}
        return json.dumps(said, indent=2) + "\n"
    return told_found(out)


def _write(target: str) -> None:
    from gateline.session.memory.exchange import exported

    with memory_here(meaning=False) as memory:
        lines = list(exported(memory))
    text = "".join(f"{line}\n" for line in lines)
    if target == "-":
        terminal.emit(text, machine=True)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Mistake(f"--export {target!r} cannot be written: {error.strerror}") from error
    terminal.emit(f"{len(lines)} lesson{'s' * (len(lines) != 1)} written to {target}\n")


def _read(origin: str) -> None:
    from gateline.session.memory.exchange import imported

    try:
        text = terminal.given() if origin == "-" else Path(origin).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Mistake(f"--import {origin!r} cannot be read: {error}") from error
    with memory_here(meaning=True) as memory:
        done = imported(memory, text.splitlines(), origin)
    terminal.emit(f"{done.created} new, {done.updated} updated, {done.known} already known\n")


def _tell(text: str, form: str) -> None:
    terminal.emit(text, machine=form != "text")
