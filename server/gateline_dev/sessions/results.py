"""Rows of results in a file of JSON lines, and the page made of them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gateline_dev.bench.tables import table
from gateline_dev.sessions.trying import Tried

_SHOWN = 6
"""Differences of a row that are kept."""


@dataclass(frozen=True)
class Row:
    """What came of one session."""

    door: str
    """`near`: in one process, in virtual time; `far`: a real server."""
    seed: int
    operations: int
    drawn: int
    new: int
    kinds: Sequence[str] = ()
    differences: Sequence[dict[str, Any]] = ()
    trouble: str = ""
    shortest: Sequence[dict[str, Any]] = field(default=())
    """The operations that are left of a session that differs, where it was made shorter."""

    @staticmethod
    def of(door: str, tried: Tried) -> Row:
        """The row of a session."""
        differences = [asdict(d) for d in tried.differences[:_SHOWN]]
        counts = (len(tried.ops), tried.drawn, tried.new)
        return Row(door, tried.seed, *counts, tried.kinds, differences, tried.trouble)


class Results:
    """What was tried so far: the last row of each session counts."""

    def __init__(self, file: Path) -> None:
        self.file = file
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        rows = (Row(**json.loads(line)) for line in lines)
        self.rows = {(row.door, row.seed): row for row in rows}

    def add(self, row: Row) -> None:
        """Keep a row at once: a run that is ended goes on from here."""
        self.rows[row.door, row.seed] = row
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")


def page(rows: Iterable[Row]) -> str:
    """The tables, as Markdown."""
    rows = list(rows)
    return "\n\n".join((_counts(rows), *(part for part in (_kinds(rows),) if part)))


def _counts(rows: Sequence[Row]) -> str:
    lines = []
    for door in sorted({row.door for row in rows}):
        of = [row for row in rows if row.door == door]
        equal = sum(not row.kinds for row in of)
        sums = (sum(row.operations for row in of), sum(row.drawn for row in of), sum(row.new for row in of))
        differ = sum(bool(row.differences) for row in of)
        counts = (len(of), equal, differ, len(of) - equal - differ, *sums)
        lines.append([door, *map(str, counts)])
    numbers = ["sessions", "equal", "differ", "in trouble", "operations", "drawn at rest", "new findings"]
    return table(["door", *numbers], lines)


def _kinds(rows: Sequence[Row]) -> str:
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        for kind in row.kinds:
            found[row.door, kind].append(row)
    counted = Counter({key: len(of) for key, of in found.items()})
    lines = [
        [door, kind, str(n), _example(found[door, kind], kind)] for (door, kind), n in counted.most_common()
    ]
    return table(["door", "difference", "sessions", "for example"], lines) if lines else "No differences."


def _example(rows: Sequence[Row], kind: str) -> str:
    row = min(rows, key=lambda row: len(row.shortest) or 99)
    told = [d["detail"] for d in row.differences if f"{d['between']}: {d['what']} only {d['side']}" == kind]
    return f"seed {row.seed}: {(told or [row.trouble])[0][:160]}".replace("|", "\\|").replace("\n", " ")
