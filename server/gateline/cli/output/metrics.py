"""The metrics of tasks for people and for machines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table

from gateline.cli.terminal import harmless, width
from gateline.protocol.metrics import MetricsResult
from gateline.refinement.metrics import AIMS, TaskMetrics, reached
from gateline.session.tasks.metrics import Measured

_ENOUGH = 10
"""Fewer tasks say little of a factor, which is told beside it."""
_NO_DATA = "no data"
_FIGURES: tuple[tuple[str, str, Callable[[float], str]], ...] = (
    ("completion", "completed", lambda v: f"{v:.0%}"),
    ("rounds", "rounds of a loop, mean", lambda v: f"{v:.1f}"),
    ("debug_success", "errors resolved of those met", lambda v: f"{v:.0%}"),
    ("first_time", "accepted at the first look", lambda v: f"{v:.0%}"),
    ("context_milliseconds", "context, mean", lambda v: f"{v:.0f} ms"),
    ("relevance", "context in files that were changed", lambda v: f"{v:.0%}"),
    ("seconds", "duration, median", lambda v: f"{v:.0f} s"),
    ("early_stops", "loops that ended early, not accepted", lambda v: f"{v:.0%}"),
    ("escalated", "escalated to a person", lambda v: f"{v:.0%}"),
    ("intervened", "a person took over", lambda v: f"{v:.0%}"),
)
_SHARES = frozenset({"debug_success", "first_time"})


def as_json(found: Measured) -> str:
    """By `schemas/metrics.json`."""
    result = MetricsResult.model_validate(found)
    return json.dumps(result.model_dump(mode="json", by_alias=True), indent=2) + "\n"


def as_text(found: Measured, *, listed: int) -> str:
    """The figures with their aims, then the newest tasks."""
    if not found.tasks:
        return "no task and no loop has ended here yet: `gateline refine` and `gateline task` begin one\n"
    table = Table(box=SIMPLE, pad_edge=False)
    for head, justify in (("figure", "left"), ("now", "right"), ("aim", "right"), ("", "left")):
        table.add_column(head, justify=justify)  # type: ignore[arg-type]
    for row in _rows(found):
        table.add_row(*row)
    parts = [_drawn(table), _drawn(_tasks(found.tasks[:listed]))]
    left = len(found.tasks) - listed
    return "".join(parts) + (f"{left} older ones: `--limit 0` shows all\n" if left > 0 else "")


def _rows(found: Measured) -> Iterator[tuple[str, str, str, str]]:
    yield "tasks and loops that have ended", str(found.derived.tasks), "", ""
    for name, label, shown in _FIGURES:
        value = getattr(found.derived, name)
        yield label, _NO_DATA if value is None else shown(value), _aim(name), _told(name, value)
    yield _factor(found)


def _factor(found: Measured) -> tuple[str, str, str, str]:
    baseline, value = found.baseline, found.factor
    if baseline is None:
        return "against a baseline", _NO_DATA, _aim("factor"), "record one: gateline metrics --record NAME"
    label = f"against {harmless(baseline.name)} ({baseline.completed} of {baseline.tasks})"
    if value is None:
        return label, _NO_DATA, _aim("factor"), ""
    told = _told("factor", value)
    few = f", by only {found.derived.tasks}" if found.derived.tasks < _ENOUGH else ""
    return label, f"{value:.1f}×", _aim("factor"), f"{told}{few}"


def _aim(name: str) -> str:
    if name not in AIMS:
        return ""
    how, aim = AIMS[name]
    value = f"{aim:.0%}" if name in _SHARES else f"{aim:g}{' ms' if name == 'context_milliseconds' else ''}"
    return f"{how} {value}"


def _told(name: str, value: float | None) -> str:
    is_reached = reached(name, value)
    return "" if is_reached is None else "reached" if is_reached else "not reached"


def _tasks(tasks: tuple[TaskMetrics, ...]) -> Table:
    table = Table(box=SIMPLE, pad_edge=False)
    for head in ("id", "begun", "outcome", "rounds", "quality", "errors", "seconds"):
        right = head in ("rounds", "quality", "errors", "seconds")
        table.add_column(head, justify="right" if right else "left", no_wrap=head == "id")
    for one in tasks:
        quality = f"{one.scores[-1]:.2f}" if one.scores else "–"
        errors = f"{one.errors_resolved} of {one.errors_met}" if one.errors_met else "–"
        seconds = "–" if one.seconds is None else f"{one.seconds:.0f}"
        begun = one.begun[:16].replace("T", " ")
        table.add_row(harmless(one.id), begun, one.outcome, str(one.rounds), quality, errors, seconds)
    return table


def _drawn(table: Table) -> str:
    console = Console(width=width(), color_system=None, highlight=False)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"
