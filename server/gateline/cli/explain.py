"""`gateline explain`: one finding, with everything that is known of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from gateline.cli import options, terminal
from gateline.cli.ending import Mistake
from gateline.cli.output.frame import Frames
from gateline.cli.rule import page
from gateline.cli.verdict import judged
from gateline.model import Evaluation, Finding, Level, Weight
from gateline.session.check import Selection

_SHORTEST = 4
"""Digits of an ID that must be given at least."""

_ALL_ACTIONS = {"gates.required-actions": "100000"}
"""Every step with its points, not only the first few."""

_WEIGHTS = {
    Weight.FLOOR: "a floor: at the final checkpoint nothing is accepted with it",
    Weight.COUNTS: "lowers the score",
    Weight.ADVICE: "advice: does not count",
}


_EXAMPLES = """\
\b
Example:
  gateline explain 93d6
"""


@click.command(epilog=_EXAMPLES)
@click.argument("identity", metavar="ID")
@options.base
@options.staged
@options.everything
@options.colour
def explain(identity: str, base: str | None, staged: bool, everything: bool, colour: str) -> None:
    """Explain one finding of the change by its ID.

    The first digits of an ID, as `gateline check` shows it, are enough. Says what was found, why it counts
    and how much, and what to do about it. The change is judged anew:
    give --base, --staged or --all if they were given to `gateline check`.
    """
    if len(identity) < _SHORTEST:
        raise Mistake(f"{identity!r} is too short; give at least {_SHORTEST} digits of the ID")
    result = judged(Selection(base, staged, all=everything), Level.FINAL, _ALL_ACTIONS)
    finding = _find(result.evaluation, identity.lower())
    in_colour = terminal.wants_colour(colour, sys.stdout)
    text = "\n".join([*Frames(result, terminal.width()).of(finding), *_facts(finding, result.evaluation)])
    terminal.emit((text if in_colour else click.unstyle(text)) + "\n\n" + page(finding.code))


def _find(evaluation: Evaluation, identity: str) -> Finding:
    known = (*evaluation.findings, *evaluation.suppressed, *evaluation.fixed)
    found = {f.identity: f for f in known if f.identity.startswith(identity)}
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise Mistake(f"several findings begin with {identity!r}: {', '.join(sorted(found))}")
    raise Mistake(f"no finding of the change begins with {identity!r}; `gateline check` shows the IDs")


def _facts(finding: Finding, evaluation: Evaluation) -> Iterator[str]:
    yield f"      state:  {_state(finding, evaluation)}"
    yield f"      weight: {_WEIGHTS[finding.weight]}"
    if finding.symbol:
        yield f"      inside: {terminal.harmless(finding.symbol)}"
    action = next((a for a in evaluation.decision.required_actions if a.finding == finding.identity), None)
    if action is not None:
        yield f"      points: mending it wins {action.points:.1f}"


def _state(finding: Finding, evaluation: Evaluation) -> str:
    if finding in evaluation.fixed:
        return f"fixed since {evaluation.base_label}"
    suppressed = ", suppressed by a comment" if finding in evaluation.suppressed else ""
    return f"{finding.novelty} against {evaluation.base_label}{suppressed}"
