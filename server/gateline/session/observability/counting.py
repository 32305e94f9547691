"""Counts what was recorded since the last time: decisions, what agents were handed, loops that ended.

Nothing is counted while work is done: the audit trail, the worklog and the loops are read when somebody asks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gateline.refinement.observing import adjustments, early_warning
from gateline.session.observability import families
from gateline.session.observability.families import Family
from gateline.store.database import Database
from gateline.store.lessons import Lessons
from gateline.store.loops import Loops
from gateline.store.observations import Counting, Observations, Series

_AT_ONCE = 500
"""Decisions that are counted in one transaction: a verdict that is to be recorded waits for it."""
_WHOLE = "whole"
"""The name of what a verdict took in all, among its steps."""


def observed(database: Database) -> list[Series]:
    """Count what is new, and give all series. Blocks. Raises StoreError."""
    loops = Loops(database)
    store = Observations(database)
    while _has_counted(store):
        pass
    with store.counting() as counting:
        _handed(counting)
        for state in loops.all():
            source = f"loop {state.id}"
            if state.ended is not None and not counting.place(source):
                _add(counting, families.LOOPS, {"end": str(state.ended.kind)})
                if outcome := early_warning(state):
                    _add(counting, families.WARNING, {"outcome": outcome})
                for kind, times in adjustments(state).items():
                    _add(counting, families.ADJUSTMENT, {"kind": kind}, times)
                counting.counted(source)
    return [*store.all(), *_gauges(database)]


def _add(counting: Counting, family: Family, labels: Mapping[str, str], value: float = 1.0) -> None:
    counting.add(family.name, labels, value, family.bounds)


def _has_counted(store: Observations) -> bool:
    """Count some decisions in a transaction of their own; whether there may be more."""
    with store.counting() as counting:
        return _decisions(counting) == _AT_ONCE


def _decisions(counting: Counting) -> int:
    query = "SELECT number, content FROM decisions WHERE number > ? ORDER BY number LIMIT ?"
    rows = counting.connection.execute(query, (counting.place("decisions"), _AT_ONCE)).fetchall()
    for number, content in rows:
        found: dict[str, Any] = json.loads(content)
        level, score = found.get("level"), found.get("score")
        if level:
            _add(counting, families.DECISIONS, {"checkpoint": level, "outcome": str(found.get("outcome"))})
        if level and isinstance(score, int | float):
            _add(counting, families.QUALITY, {"checkpoint": level}, score / 100)
        for step, seconds in found.get("took", {}).items():
            if step == _WHOLE:
                _add(counting, families.EVALUATION, {"checkpoint": str(level)}, seconds)
            else:
                _add(counting, families.STEP, {"step": step}, seconds)
        counting.counted("decisions", number)
    return len(rows)


def _handed(counting: Counting) -> None:
    # Numbers of deleted events are given again: rather one is not counted than one twice.
    newest = counting.connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()[0]
    query = "SELECT number, detail FROM events WHERE kind = 'handed' AND number > ? ORDER BY number"
    for _, detail in counting.connection.execute(query, (counting.place("handed"),)).fetchall():
        found: dict[str, Any] = json.loads(detail)
        _add(counting, families.TOKENS, {"operation": str(found.get("operation"))}, found.get("tokens", 0))
        if found.get("operation") == "context" and "milliseconds" in found:
            _add(counting, families.CONTEXT, {}, found["milliseconds"] / 1000)
        if found.get("degraded"):
            _add(counting, families.DEGRADED, {})
    counting.counted("handed", newest)


def _gauges(database: Database) -> list[Series]:
    uses = database.rows("SELECT coalesce(sum(uses), 0) FROM lessons")[0][0]
    last = "SELECT max(number) FROM eval_runs GROUP BY suite"
    newest = f"SELECT suite, score FROM eval_runs WHERE number IN ({last})"
    return [
        Series(families.LESSONS.name, {}, 1, Lessons(database).count()),
        Series(families.USES.name, {}, 1, uses),
        *(Series(families.EVAL.name, {"suite": suite}, 1, score) for suite, score in database.rows(newest)),
    ]
