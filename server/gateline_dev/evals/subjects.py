"""The parts of gateline that judge or retrieve, as functions of JSON that a suite of evals calls."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from gateline.gates.case import Case as GateCase
from gateline.gates.evaluate import judge
from gateline.integrity.inspection import with_integrity
from gateline.memory.lesson import Anchor, Lesson, Note, Source
from gateline.memory.reminders import Occasion, reminders
from gateline.model import Change, Document, FileChange, Inspection, Level, Policy, Progress
from gateline.model import Source as Text
from gateline.model.lines import changed_lines
from gateline.plugins import load, load_rules
from gateline.ranking.rank import rank
from gateline.ranking.values import Candidate, Pool
from gateline.refinement.policy import next_step
from gateline.refinement.state import loaded
from gateline.session.memory.embedding import TableMaker
from gateline.session.memory.memory import Memory, now
from gateline.store.database import Database

Texts = Mapping[str, str]


def gates(given: Mapping[str, Any]) -> str:
    """What the gate decides of a change at `level`: `base` and `now` are texts by path."""
    change = _change(given.get("base", {}), given["now"])
    found = {row.path: _inspected(row) for row in change.files if row.current}
    level = Level(given.get("level", "early"))
    return str(judge(GateCase(Policy(), level, Progress.SAID, change, found)).decision.outcome)


def integrity(given: Mapping[str, Texts]) -> list[str]:
    """The codes of integrity of a change, sorted."""
    case = GateCase(Policy(), Level.FINAL, Progress.SAID, _change(given["base"], given["now"]))
    found = judge(with_integrity(case, load_rules())).findings
    return sorted({one.code for one in found if one.code.startswith("GTL6")})


def ranking(given: Sequence[Mapping[str, Any]]) -> str:
    """The winner of some candidates, by what was measured of them; empty for none."""
    return rank(Pool(tuple(_candidate(row) for row in given))).winner


def memory(given: Sequence[str]) -> str:
    """What becomes of the last of some notes, when the others are stored: noop, update or create."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "memory.sqlite3")
        try:
            kept = Memory(database, Path(folder), (_table(),))
            return [kept.remember(Note(text)).outcome.value for text in given][-1]
        finally:
            database.close()


def recall(given: Mapping[str, Any]) -> list[str]:
    """Which lessons are put before work on `files` by `operations`, in their order."""
    at = now()
    lessons = [
        Lesson(
            row["id"],
            1,
            Note(row["id"], tuple(row.get("tags", ())), Anchor(row.get("file", "")), Source(row["source"])),
            at,
            at,
        )
        for row in given["lessons"]
    ]
    occasion = Occasion(tuple(given.get("operations", ())), tuple(given.get("files", ())))
    return [one.lesson.id for one in reminders(lessons, occasion)]


def refinement(given: Mapping[str, Any]) -> str:
    """What a loop does next after rounds of which a row has quality, failing tests and the agent."""
    rounds = [_round(number, row) for number, row in enumerate(given["rounds"], 1)]
    ways = [{"agent": name} for name in given.get("agents", ["one", "two"])]
    state = {
        "id": "loop",
        "goal": "goal",
        "ways": ways,
        "base": "c",
        "tree": "t0",
        "start": _verdict(given["start"]),
        "rounds": rounds,
        "rules": {"rounds": given.get("limit", 20)},
    }
    return str(next_step(loaded(state)).kind)


@cache
def _table() -> TableMaker:
    return TableMaker()


def _change(base: Texts, now: Texts) -> Change:
    rows = []
    for path in sorted({*base, *now}):
        old, new = (Document(path, side[path]) if path in side else None for side in (base, now))
        if base.get(path) != now.get(path):
            rows.append(FileChange.between(old, new))
    return Change("0" * 40, "HEAD", tuple(rows))


def _inspected(row: FileChange) -> list[Any]:
    assert row.current is not None
    source, before = Text(row.current), Text(row.base) if row.base else None
    changed = changed_lines(before.lines, source.lines) if before else None
    return [one.inspect(Inspection(source, changed, {}, before)) for one in load().analyzers]


def _candidate(row: Mapping[str, Any]) -> Candidate:
    passed, total = row.get("visible", (0, 0))
    return Candidate(
        row["name"],
        floors=tuple(row.get("floors", ())),
        regressions=row.get("regressions"),
        visible_passed=passed,
        visible_total=total or None,
        criteria=row.get("criteria", {}),
    )


def _verdict(row: Mapping[str, Any]) -> dict[str, Any]:
    failing = [{"test": f"t::{n}", "error": row.get("error", "E")} for n in range(row.get("failing", 0))]
    return {
        "outcome": row.get("outcome", "require-iteration"),
        "score": row.get("score"),
        "passed": row.get("passed", 0),
        "failing": failing,
        "integrity": row.get("integrity", []),
    }


def _round(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    way = {"agent": row.get("agent", "one")}
    start = f"t{row.get('start', number - 1)}"
    return {"number": number, "way": way, "start": start, "tree": f"t{number}", "verdict": _verdict(row)}
