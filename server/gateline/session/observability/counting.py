"""Counts what was recorded since the last time: decisions, what agents were handed, loops that ended.

Nothing is counted while work is done: the audit trail, the worklog and the loops are read when somebody asks.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from gateline.refinement.observing import adjustments, early_warning
from gateline.refinement.state import LoopState
from gateline.session.observability import families
from gateline.session.observability.families import Family
from gateline.store.database import Database
from gateline.store.evals import EvalRuns
from gateline.store.lessons import Lessons
from gateline.store.loops import Loops, UnreadableLoopError
from gateline.store.observations import Counting, Observations, Series

_AT_ONCE = 500
"""Decisions that are counted in one transaction: a verdict that is to be recorded waits for it."""
_WHOLE = "whole"
"""The name of what a verdict took in all, among its steps."""

_One = tuple[Family, Mapping[str, str], float]
"""A family, labels and a value to add."""
_Counted = list[_One]


def observed(database: Database) -> list[Series]:
    """Count what is new, and give all series. Blocks. Raises StoreError."""
    store = Observations(database)
    while _count_decisions(store) == _AT_ONCE:
        pass
    # Read before the transaction: a verdict that is to be recorded waits for that.
    ended = _ended(Loops(database), store.sources())
    with store.counting() as counting:
        _handed(counting)
        for loop, found in ended.items():
            if not counting.place(f"loop {loop}"):
                _count(counting, found, "loops")
                counting.counted(f"loop {loop}")
    return [*store.all(), *_gauges(database)]


def _ended(loops: Loops, known: Collection[str]) -> dict[str, _Counted | None]:
    """What there is to count of each loop that ended and is not `known`; None for one that is unreadable."""
    found: dict[str, _Counted | None] = {}
    for loop in loops.ended_names():
        if f"loop {loop}" in known:
            continue
        try:
            state = loops.exactly(loop)
        except UnreadableLoopError:
            found[loop] = None
        else:
            found.update({loop: list(_of_loop(state))} if state is not None else {})
    return found


def _of_loop(state: LoopState) -> Iterator[_One]:
    if state.ended is not None:
        yield families.LOOPS, {"end": str(state.ended.kind)}, 1.0
    if outcome := early_warning(state):
        yield families.WARNING, {"outcome": outcome}, 1.0
    for kind, times in adjustments(state).items():
        yield families.ADJUSTMENT, {"kind": kind}, float(times)


def _count(counting: Counting, found: _Counted | None, source: str) -> None:
    """Count what was found of one record; of one that is unreadable only that."""
    for family, labels, value in [(families.UNREADABLE, {"source": source}, 1.0)] if found is None else found:
        _add(counting, family, labels, value)


def _read(text: str, of: Callable[[Mapping[str, Any]], Iterable[_One]]) -> _Counted | None:
    """What there is to count of one record; None for one that is unreadable: it must not end all others."""
    try:
        return list(of(json.loads(text)))
    except (ValueError, TypeError, AttributeError):
        return None


def _add(counting: Counting, family: Family, labels: Mapping[str, str], value: float) -> None:
    counting.add(family.name, labels, value, family.bounds)


def _count_decisions(store: Observations) -> int:
    """Count the next decisions in a transaction of their own; how many there were."""
    query = "SELECT number, content FROM decisions WHERE number > ? ORDER BY number LIMIT ?"
    with store.counting() as counting:
        rows = counting.connection.execute(query, (counting.place("decisions"), _AT_ONCE)).fetchall()
        for _, content in rows:
            _count(counting, _read(content, _of_decision), "decisions")
        if rows:
            counting.counted("decisions", rows[-1][0])
    return len(rows)


def _of_decision(found: Mapping[str, Any]) -> Iterator[_One]:
    level, score = found.get("level"), found.get("score")
    if level:
        yield families.DECISIONS, {"checkpoint": str(level), "outcome": str(found.get("outcome"))}, 1.0
    if level and isinstance(score, int | float):
        yield families.QUALITY, {"checkpoint": str(level)}, score / 100
    for step, seconds in found.get("took", {}).items():
        if step == _WHOLE:
            yield families.EVALUATION, {"checkpoint": str(level)}, float(seconds)
        else:
            yield families.STEP, {"step": step}, float(seconds)


def _handed(counting: Counting) -> None:
    # Numbers of deleted events are given again: rather one is not counted than one twice.
    newest = counting.connection.execute("SELECT coalesce(max(number), 0) FROM events").fetchone()[0]
    query = "SELECT number, detail FROM events WHERE kind = 'handed' AND number > ? ORDER BY number"
    for _, detail in counting.connection.execute(query, (counting.place("handed"),)).fetchall():
        _count(counting, _read(detail, _of_handed), "events")
    counting.counted("handed", newest)


def _of_handed(found: Mapping[str, Any]) -> Iterator[_One]:
    operation = found.get("operation")
    counted = operation if operation in families.OPERATIONS else "other"
    yield families.TOKENS, {"operation": counted}, float(found.get("tokens", 0))
    if operation == "context" and "milliseconds" in found:
        yield families.CONTEXT, {}, found["milliseconds"] / 1000
    if found.get("degraded"):
        yield families.DEGRADED, {}, 1.0


def _gauges(database: Database) -> list[Series]:
    uses = database.rows("SELECT coalesce(sum(uses), 0) FROM lessons")[0][0]
    return [
        Series(families.LESSONS.name, {}, 1, Lessons(database).count()),
        Series(families.USES.name, {}, 1, uses),
        *(
            Series(families.EVAL.name, {"suite": run.suite}, 1, run.score)
            for run in EvalRuns(database).newest()
        ),
    ]
