"""The score as rows that add up: a bar, a value, a weight and points for each dimension."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import click

from gateline.cli.terminal import harmless
from gateline.gates.gaps import stated
from gateline.model import Evaluation, Part, State

_BAR = 20
"""Characters of a bar at 100."""
_UNKNOWN = (State.NO_DATA, State.STALE, State.FAILED)


def breakdown(evaluation: Evaluation) -> Iterator[str]:
    """The rows, their sum, and what could not be measured."""
    rows = [part for part in evaluation.score.parts if part.state not in (*_UNKNOWN, State.NOT_DUE)]
    widest = max((len(part.dimension) for part in rows), default=0)
    for part in rows:
        yield _row(part, widest)
    if evaluation.score.raw is not None:
        yield _sum(evaluation, widest)
    yield from _unknown(evaluation)


def _row(part: Part, widest: int) -> str:
    name = f"{part.dimension:<{widest}}"
    if part.value is None:
        return f"{name}  {click.style(str(part.state), dim=True)}"
    full = round(part.value / 100 * _BAR)
    colour = "green" if part.value >= 85 else "yellow" if part.value >= 60 else "red"
    bar = click.style("█" * full, fg=colour) + click.style("░" * (_BAR - full), dim=True)
    share = f"× {part.weight:.2f} = {part.points:>5.1f}" if part.weight else "not scored    "
    detail = click.style(harmless(part.detail), dim=True)
    return f"{name}  {bar} {part.value:>5.1f} {share}  {detail}".rstrip()


def _sum(evaluation: Evaluation, widest: int) -> str:
    score = evaluation.score
    causes = [
        f"{len(found)} {noun}{'s' * (len(found) != 1)}"
        for noun, found in (("broken floor", score.floors), ("integrity finding", score.caps))
        if found
    ]
    capped = f"capped at {score.value:g}: {', '.join(causes)}" if causes and score.value != score.raw else ""
    label = f"{'score':<{widest}}  {'':<{_BAR}} {'':>5}        = {score.raw:>5.1f}"
    return click.style(label, bold=True) + click.style(f"  {capped}" if capped else "", fg="red")


def _unknown(evaluation: Evaluation) -> Iterator[str]:
    """What was not measured, by reason; then all other limits of the verdict."""
    groups: dict[tuple[State, str], list[str]] = defaultdict(list)
    for part in evaluation.score.parts:
        if part.state in _UNKNOWN:
            groups[part.state, part.reason].append(str(part.dimension))
    for (state, reason), names in groups.items():
        why = f" ({harmless(reason)})" if reason else ""
        yield click.style(f"{state}: {', '.join(names)}{why}", dim=state is State.NO_DATA, fg=_alarm(state))
    # Sources of a dimension that is measured by others stand in its row.
    told = {stated(part) for part in evaluation.score.parts}
    told |= {said for part in evaluation.score.parts for said in part.detail.split("; ")}
    for limit in evaluation.limits:
        if limit not in told:
            yield click.style(harmless(limit), fg="yellow")


def _alarm(state: State) -> str | None:
    return None if state is State.NO_DATA else "yellow"
