"""How tasks and loops went over time, beside the baseline and the aims, as a part of the page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape

from gateline.cli.output.page.chart import Dot, plot
from gateline.refinement.metrics import AIMS, LOOP, WINDOW, TaskMetrics, completion, ended_tasks
from gateline.session.tasks.metrics import Measured

_NEWEST = 200
"""So many are drawn: more would lie over each other."""


def plots(found: Measured) -> str:
    """Completion and rounds over time; empty where nothing has ended."""
    every = ended_tasks(found.tasks)
    tasks, shares = every[-_NEWEST:], completion(every)[-_NEWEST:]
    loops = [one for one in every if one.kind == LOOP][-_NEWEST:]
    parts = [_baseline(found)]
    if tasks:
        parts += _completed(found, tasks, shares)
    if loops:
        parts += _rounds(loops)
    return "".join(parts)


def _baseline(found: Measured) -> str:
    """How many times as many are completed as with the recorded baseline."""
    known = found.baseline
    if known is None:
        return '<p class="dim">No baseline is recorded: <code>gateline metrics --record NAME</code>.</p>'
    name = f"{escape(known.name)} ({known.completed} of {known.tasks})"
    if found.factor is None:
        return f"<p>Against {name}: no factor, as the baseline completed no task.</p>"
    how, aim = AIMS["factor"]
    return f"<p>Against {name}: <b>{found.factor:.1f}×</b>, the target is {escape(how)} {aim:g}.</p>"


def _completed(found: Measured, tasks: Sequence[TaskMetrics], shares: Sequence[float]) -> Iterator[str]:
    baseline = found.baseline
    dots = [
        Dot(_at(one), 100 * share, f"{share:.0%}; {one.id}: {one.outcome}", _kind(one))
        for one, share in zip(tasks, shares, strict=True)
    ]
    label = f"share of completed tasks over {WINDOW} tasks; the newest is {shares[-1]:.0%}"
    yield f"<h3>Completed tasks, % of the last {WINDOW}</h3>"
    yield plot(dots, label, (0, 50, 100), 100 * baseline.completion if baseline else None)
    line = f" The dashed line is {escape(baseline.name)}." if baseline else ""
    yield f'<p class="dim">Green: completed; red: not completed.{line}</p>'


def _rounds(loops: Sequence[TaskMetrics]) -> Iterator[str]:
    aim = AIMS["rounds"][1]
    dots = [
        Dot(_at(one), one.rounds, f"{one.rounds} rounds; {one.id}: {one.outcome}", _kind(one))
        for one in loops
    ]
    most = max(one.rounds for one in loops)
    top = max(10, 5 * math.ceil(most / 5))
    label = f"rounds of {len(loops)} loops, the newest {loops[-1].rounds}"
    yield "<h3>Rounds of each loop</h3>"
    yield plot(dots, label, (0, top / 2, top), aim)
    yield f'<p class="dim">The dashed line is the target: an average below {aim:g}.</p>'


def _at(one: TaskMetrics) -> datetime:
    return datetime.fromisoformat(one.begun)


def _kind(one: TaskMetrics) -> str:
    return "accept" if one.completed else "refuse"
