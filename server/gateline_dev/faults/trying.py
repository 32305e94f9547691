"""Tries a cell: both changes at every door, and what is wrong with what was said."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateline_dev.faults import shop
from gateline_dev.faults.doors import Said, command_line, editor, names
from gateline_dev.faults.model import WORDS, Cell, Expected, Plan
from gateline_dev.truth.tree import Edit
from gateline_dev.truth.workbench import Standing, Workbench

_HOOK = Path(__file__).with_name("hook")


@dataclass
class Tried:
    """What became of one cell."""

    id: str
    outcomes: dict[str, str] = field(default_factory=dict)
    """By change and door."""
    problems: list[str] = field(default_factory=list)

    def joined(self, later: Tried) -> Tried:
        """With what was tried later, at some doors."""
        again = tuple(f"{where}:" for where in later.outcomes)
        kept = [problem for problem in self.problems if not problem.startswith(again)]
        return Tried(self.id, {**self.outcomes, **later.outcomes}, [*kept, *later.problems])

    def as_json(self) -> dict[str, Any]:
        """As it is stored."""
        return {"id": self.id, "outcomes": self.outcomes, "problems": self.problems}


DOORS = ("check", "check --staged", "editor")
CHANGES = ("honest", "breaking")


def attempt(cell: Cell, doors: Sequence[str] = DOORS, changes: Sequence[str] = CHANGES) -> Tried:
    """Try changes at doors, in one fresh copy of the project with fresh caches."""
    assert cell.plan is not None
    tried = Tried(cell.id)
    with _bench(cell.plan) as (bench, environment):
        for change in changes:
            for door in doors:
                _at_door(tried, cell, change, door, bench, environment)
    return tried


def _at_door(
    tried: Tried, cell: Cell, change: str, door: str, bench: Workbench, environment: Mapping[str, str]
) -> None:
    assert cell.plan is not None
    standing = Standing.STAGED if door == "check --staged" else Standing.COMMITTED
    _lay(bench, cell.plan, change, standing, environment)
    more = {**environment, **_arranged(cell.plan, bench)}
    if door == "editor":
        said, status = editor(bench, more)
        _note(tried, cell, change, "editor's status", status)
    else:
        said = command_line(bench, standing.arguments, more)
    _note(tried, cell, change, door, said)


def _arranged(plan: Plan, bench: Workbench) -> Mapping[str, str]:
    return plan.arrange(bench) if plan.arrange else {}


class _bench:  # noqa: N801 - used as a function is
    """A copy of the project in a folder of its own, and the variables that make the fault."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def __enter__(self) -> tuple[Workbench, dict[str, str]]:
        self._folder = Path(tempfile.mkdtemp(prefix="gateline-faults-")).resolve()
        bench = shop.laid_out(self._folder, self._plan.base, self._plan.without)
        rules = json.dumps(list(self._plan.rules)).replace("{folder}", str(self._folder))
        hook = {"PYTHONPATH": str(_HOOK), "PLANNED_FAULTS": rules} if self._plan.rules else {}
        return bench, {**self._plan.environment, **hook}

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


def _lay(
    bench: Workbench, plan: Plan, change: str, standing: Standing, environment: Mapping[str, str]
) -> None:
    """The change, as git is to have it; the base was judged before where that is planned."""
    usual = shop.HONEST if change == "honest" else shop.BREAKING
    files = plan.breaking if change == "breaking" and plan.breaking else usual.files
    if plan.prime:
        bench.reset()
        bench.write({"README.md": b"# shop\n\nMore.\n"})
        command_line(bench, (), {**environment, **_arranged(plan, bench)})
    bench.lay(Edit({**files, **plan.change}, change), standing)


def _note(tried: Tried, cell: Cell, change: str, where: str, said: Said) -> None:
    tried.outcomes[f"{change}, {where}"] = said.outcome
    for problem in _problems(cell, change, where, said):
        tried.problems.append(f"{change}, {where}: {problem}")


def _problems(cell: Cell, change: str, where: str, said: Said) -> list[str]:
    """What is wrong; the status is not asked for a decision of its own, only never to accept."""
    assert cell.plan is not None
    expected = cell.plan.expected
    if change == "breaking":
        return [f"{said.outcome}, a breaking change"] if said.passes else []
    if expected is Expected.JUDGED:
        right = said.outcome in ("accept", "conditional-accept") or where == "editor's status"
        return [] if right else [f"{said.outcome}, though nothing is taken away"]
    return [*_too_good(expected, said), *_unnamed(cell, said)]


def _too_good(expected: Expected, said: Said) -> list[str]:
    if expected is Expected.CONDITIONS:
        return ["accept without conditions"] if said.outcome == "accept" else []
    if expected is Expected.MISTAKE:
        return [f"exit code {said.code}, not 2"] if said.code not in (2, None) else []
    return [f"{said.outcome}, exit code {said.code}"] if said.passes else []


def _unnamed(cell: Cell, said: Said) -> list[str]:
    assert cell.plan is not None
    words = cell.plan.named or WORDS[cell.source]
    missing = [name for name, texts in said.texts.items() if not names(texts, words)]
    return [f"the reason is not named in {', '.join(missing)}"] if missing else []
