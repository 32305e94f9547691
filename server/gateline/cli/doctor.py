"""`gateline doctor`: what was chosen here, and why."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from gateline.cli import options, terminal
from gateline.cli.ending import PASSED, USAGE, run
from gateline.session.doctor import Doctor, Health, Section
from gateline.session.doctor import doctor as examine

_MARKS = {Health.OK: " ", Health.WARNING: "!", Health.PROBLEM: "✗"}
_COLOURS = {Health.OK: None, Health.WARNING: "yellow", Health.PROBLEM: "red"}


_EXAMPLES = """\
\b
Example:
  gateline doctor          explains an unexpected verdict
"""


@click.command(epilog=_EXAMPLES)
@options.colour
def doctor(colour: str) -> None:
    """Show the root, base, settings and tools in use, and why.

    No code of your project is run.

    A line that begins with ! is a warning; one that begins with ✗ is a problem, and the exit code is 2.
    """
    found = run(examine(Path.cwd(), os.environ))
    text = "\n".join(_lines(found)) + "\n"
    terminal.emit(text if terminal.wants_colour(colour, sys.stdout) else click.unstyle(text))
    sys.exit(USAGE if found.health is Health.PROBLEM else PASSED)


def _lines(found: Doctor) -> Iterator[str]:
    for section in found.sections:
        yield click.style(section.title, bold=True)
        yield from _facts(section)
    yield click.style("Timings", bold=True)
    widest = max(map(len, found.timings), default=0)
    for step, seconds in found.timings.items():
        yield f"  {step:<{widest}}  {seconds * 1000:7.1f} ms"


def _facts(section: Section) -> Iterator[str]:
    widest = max((len(fact.name) for fact in section.facts), default=0)
    for fact in section.facts:
        why = click.style(f"  ({terminal.harmless(fact.why)})", dim=True) if fact.why else ""
        text = f"{_MARKS[fact.health]} {fact.name:<{widest}}  {terminal.harmless(fact.value)}"
        yield click.style(text, fg=_COLOURS[fact.health]) + why
