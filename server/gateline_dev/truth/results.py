"""Rows of results in a file of JSON lines, and the tables made of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from threading import Lock

from gateline_dev.bench.tables import table
from gateline_dev.truth.cases import OPERATORS, Row
from gateline_dev.truth.judge import Truth


class Results:
    """What was judged so far: the last row of each case counts."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = Lock()
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        self.rows = {row.id: row for row in (Row(**json.loads(line)) for line in lines)}

    def add(self, row: Row) -> None:
        """Keep a row at once: a run that is ended goes on from here."""
        with self._lock:
            self.rows[row.id] = row
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with self.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row.as_json()) + "\n")


def summary(rows: Iterable[Row]) -> str:
    """The tables, as Markdown."""
    judged = [row for row in rows if row.truth]
    parts = [_outcomes(judged), _operators(judged), _refused(judged), _violations(judged)]
    return "\n\n".join(part for part in parts if part)


def _outcomes(rows: list[Row]) -> str:
    lines = []
    for truth in Truth:
        of = [row for row in rows if row.truth == truth]
        count = Counter(row.outcome for row in of)
        other = sum(n for outcome, n in count.items() if outcome not in _OUTCOMES)
        stopped = str(sum(row.stops_for_tests for row in of))
        projects = str(len({row.project for row in of}))
        lines.append(
            [truth, str(len(of)), projects, *(str(count[o]) for o in _OUTCOMES), str(other), stopped]
        )
    return table(["truth", "changes", "projects", *_OUTCOMES, "other", "stopped for tests"], lines)


_OUTCOMES = ("accept", "conditional-accept", "require-iteration", "undecided")


def _operators(rows: list[Row]) -> str:
    lines = []
    for name in OPERATORS:
        of = [row for row in rows if row.operator == name]
        if of:
            count = Counter(row.truth for row in of)
            lines.append(
                [name, *(str(count[truth]) for truth in Truth), str(sum(bool(r.violation) for r in of))]
            )
    return table(["operator", *Truth, "violations"], lines)


def _refused(rows: list[Row]) -> str:
    """Honest changes that are refused for other reasons than tests."""
    refused = [row for row in rows if row.truth == Truth.HONEST and row.outcome == "require-iteration"]
    lines = [
        [row.id, ", ".join(row.floors), "; ".join(row.reasons)] for row in refused if not row.stops_for_tests
    ]
    return table(["honest and refused", "floors", "reasons"], lines) if lines else ""


def _violations(rows: list[Row]) -> str:
    lines = [[row.id, row.standing, row.violation, row.about, row.kept] for row in rows if row.violation]
    return (
        table(["violation", "standing", "what", "the change", "kept in"], lines)
        if lines
        else "No violations."
    )
