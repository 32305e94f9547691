"""`gateline explain`: one finding, with everything that is known of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateline.cli import options, terminal
from gateline.cli.ending import Mistake, run
from gateline.cli.output.frame import Frames
from gateline.cli.verdict import judged
from gateline.model import Dimension, Evaluation, Finding, Level, Weight
from gateline.session.check import Selection
from gateline.session.rule_pages import page

if TYPE_CHECKING:
    from gateline.integrity.explanations.explanation import Considered

_SHORTEST = 4
"""Digits of an ID that must be given at least."""

_QUOTED = 70
"""Characters of a check that messages have at least."""

_ALL_ACTIONS = {"gates.required-actions": "100000"}
"""Every step with its points, not only the first few."""

_WEIGHTS = {
    Weight.FLOOR: "a floor: the final gate refuses the change until it is fixed",
    Weight.COUNTS: "lowers the score",
    Weight.ADVICE: "advice: does not count",
}


_EXAMPLES = """\
\b
Examples:
  gateline explain 93d6         one finding, and the explanations that were considered
  gateline explain --excused    each lost check that is not a finding, and why
"""


@click.command(epilog=_EXAMPLES)
@click.argument("identity", metavar="ID", required=False)
@click.option("--excused", is_flag=True, help="List the losses that an explanation excuses.")
@options.base
@options.staged
@options.everything
@options.colour
def explain(
    identity: str | None, excused: bool, base: str | None, staged: bool, everything: bool, colour: str
) -> None:
    """Explain one finding of the change by its ID.

    The first digits of an ID, as `gateline check` shows it, are enough. Shows what was found, its weight and
    points, and how to fix it. The change is judged again: give --base, --staged or --all if you gave them to
    `gateline check`.

    For lost checks, changed expected values, removed tests and comments that silence a checker, it also
    lists the explanations that were considered.
    """
    selection = Selection(base, staged, all=everything)
    if excused:
        _list_excused(_considered(selection))
        return
    if identity is None:
        raise Mistake("give the ID of a finding, as `gateline check` shows it, or --excused")
    if len(identity) < _SHORTEST:
        raise Mistake(f"{identity!r} is too short; give at least {_SHORTEST} digits of the ID")
    result = judged(selection, Level.FINAL, _ALL_ACTIONS)
    finding = _find(result.evaluation, identity.lower())
    in_colour = terminal.wants_colour(colour, sys.stdout)
    asked = _asked_about(finding, _considered(selection)) if finding.dimension is Dimension.INTEGRITY else ()
    facts = [*_facts(finding, result.evaluation), *asked]
    text = "\n".join([*Frames(result, terminal.width()).of(finding), *facts])
    terminal.emit((text if in_colour else click.unstyle(text)) + "\n\n" + page(finding.code))


def _considered(selection: Selection) -> Sequence[Considered]:
    from gateline.session.judge.considering import considered

    return run(considered(Path.cwd(), selection))


def _list_excused(rows: Sequence[Considered]) -> None:
    held = [(row, row.held) for row in rows if row.held is not None]
    lines = []
    for row, explanation in held:
        place = row.place
        line = f"{place.line} of the base" if place.is_of_base else f"{place.line}"
        lines.append(terminal.harmless(f"{place.path}:{line}  {place.text}"))
        lines.append(f"    {row.table.question}, but {explanation.doc} ({explanation.name})")
    terminal.emit(
        "\n".join([*lines, f"{len(held)} excused; `gateline check` shows the findings that are not"]) + "\n"
    )


def _asked_about(finding: Finding, rows: Sequence[Considered]) -> Iterator[str]:
    """The explanations that would have made it no finding, where the rule asks some."""
    about = [row for row in rows if row.held is None and _is_about(row, finding)]
    asked = {one.name: one.doc for row in about for one in row.asked}
    if asked:
        yield f"      {about[0].table.question}; it would not be a finding if one of these explanations held:"
        yield from (f"        - {doc} ({name})" for name, doc in asked.items())


def _is_about(row: Considered, finding: Finding) -> bool:
    """Whether a finding came of it: its code, and the place or the text that its message quotes."""
    quoted = row.place.text[:_QUOTED] in finding.message
    at_line = row.place.path == finding.path and row.place.line == finding.span.start.line + 1
    return finding.code in row.table.codes and (quoted or at_line)


def _find(evaluation: Evaluation, identity: str) -> Finding:
    known = (*evaluation.findings, *evaluation.suppressed, *evaluation.fixed)
    found = {f.identity: f for f in known if f.identity.startswith(identity)}
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise Mistake(f"several IDs of findings begin with {identity!r}: {', '.join(sorted(found))}")
    raise Mistake(
        f"no finding of the change has an ID that begins with {identity!r}; `gateline check` shows the IDs"
    )


def _facts(finding: Finding, evaluation: Evaluation) -> Iterator[str]:
    yield f"      state:  {_state(finding, evaluation)}"
    yield f"      weight: {_WEIGHTS[finding.weight]}"
    if finding.symbol:
        yield f"      inside: {terminal.harmless(finding.symbol)}"
    action = next((a for a in evaluation.decision.required_actions if a.finding == finding.identity), None)
    if action is not None:
        yield f"      points: fixing it wins {action.points:.1f}"


def _state(finding: Finding, evaluation: Evaluation) -> str:
    if finding in evaluation.fixed:
        return f"fixed since {evaluation.base_label}"
    suppressed = ", suppressed by a comment" if finding in evaluation.suppressed else ""
    return f"{finding.novelty} against {evaluation.base_label}{suppressed}"
