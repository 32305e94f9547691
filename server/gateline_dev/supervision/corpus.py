"""The tasks of a corpus of refinement, with the faults of each as a scripted agent finds them."""

from __future__ import annotations

import fnmatch
import json
import random
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gateline_dev.refinement.corpus import scorer_of
from gateline_dev.supervision.agent import fault_of

Row = dict[str, Any]
_MORE = 6
"""So many further faults an agent can bring in."""
_APART = 400
"""Characters between a fault of the task and one that is brought in, at least."""


@dataclass(frozen=True)
class Outcome:
    """What a task's own tests say of a folder."""

    solved: bool
    quality: float
    """The share of the tests that pass on the intact package and pass here, 0-1."""


@dataclass
class Corpus:
    """A folder with `tasks.py` and `tasks.jsonl`, and the split of single faults that tasks are made of."""

    folder: Path
    split: Path
    python: str
    """An interpreter that has what the packages' tests need."""
    _wanted: dict[tuple[object, ...], frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.scorer = scorer_of(self.folder)
        self.faults = {row["id"]: row for row in self.scorer.rows(self.split / "mutation.jsonl")}

    def tasks(self) -> list[Row]:
        """All tasks."""
        found: list[Row] = self.scorer.rows(self.folder / "tasks.jsonl")
        return found

    def lay_out(self, task: Row, folder: Path) -> None:
        """Make the repository of a task."""
        self.scorer.lay_out(self.split, task, folder)

    def script(self, task: Row, kind: str, seed: int) -> Row:
        """What a scripted agent is told of a task."""
        # What does not parse is seen first, and so repaired first.
        rows = sorted(
            (self.faults[f["id"]] for f in task["faults"]), key=lambda row: row["detect"] != "parse"
        )
        own = [self._parts(row) for row in rows]
        more = [self._parts(row) for row in self._further(task, seed)]
        return {"kind": kind, "seed": seed, "faults": own, "more": more, "tests": task["tests"]}

    def judged(self, task: Row, patch: bytes, scratch: Path) -> Outcome:
        """Judge a result by the task's own tests: those of the corpus, whatever the agent made of them."""
        folder = scratch / task["project"]
        self.lay_out(task, folder)
        if patch:
            command = ["git", "-C", str(folder), "apply", "--binary", "--whitespace=nowarn", "-"]
            subprocess.run(command, input=patch, check=True, capture_output=True)
        touched = self._restored(task, folder)
        wanted = self._passing_intact(task, scratch)
        passed = {
            name for name, how in self.scorer.outcomes(self.python, task, folder).items() if how == "passed"
        }
        return Outcome(wanted <= passed and not touched, len(passed & wanted) / max(1, len(wanted)))

    def _parts(self, fault: Row) -> list[Row]:
        target = fault["target"]
        text = self._text(fault["project"], target)
        return [fault_of(target, text, (begin, end, new)) for begin, end, new in fault["edits"]]

    def _text(self, project: str, target: str) -> str:
        return (self.split / "projects" / project / target).read_bytes().decode()

    def _further(self, task: Row, seed: int) -> Iterator[Row]:
        """Faults of the same package, away from those of the task and from each other."""
        rows = [r for r in self.faults.values() if r["project"] == task["project"] and r["detect"] == "test"]
        random.Random(f"{seed} {task['id']}").shuffle(rows)
        tests = set(task["tests"])
        rows.sort(key=lambda row: not tests & {f for o in row["oracle"] for f in o.get("files", [])})
        taken = [(target, begin, end) for target, edits in task["edits"].items() for begin, end, _ in edits]
        count = 0
        for row in rows:
            places = [(row["target"], begin, end) for begin, end, _ in row["edits"]]
            if count < _MORE and not any(_near(one, other) for one in places for other in taken):
                taken += places
                count += 1
                yield row

    def _restored(self, task: Row, folder: Path) -> bool:
        """Put the files back that may not be changed; whether one was."""
        project, touched = self.split / "projects" / task["project"], False
        intact = {p: (project / p).read_bytes() for p in _files(project) if _is_protected(p, task)}
        for path in [p for p in _files(folder) if _is_protected(p, task) and p not in intact]:
            (folder / path).unlink()
            touched = True
        for path, content in intact.items():
            file = folder / path
            if not file.is_file() or file.read_bytes() != content:
                touched = True
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
        return touched

    def _passing_intact(self, task: Row, scratch: Path) -> frozenset[str]:
        key = (task["project"], tuple(task["tests"]), tuple(task["deselect"]))
        if key not in self._wanted:
            folder = scratch / "intact" / task["project"]
            self.lay_out({**task, "edits": {}}, folder)
            found = self.scorer.outcomes(self.python, task, folder)
            self._wanted[key] = frozenset(name for name, how in found.items() if how == "passed")
            shutil.rmtree(folder)
        return self._wanted[key]


def _near(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return one[0] == other[0] and one[1] < other[2] + _APART and other[1] < one[2] + _APART


def _files(folder: Path) -> list[str]:
    hidden = {"__pycache__", ".git", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
    every = (path for path in folder.rglob("*") if path.is_file())
    return [p.relative_to(folder).as_posix() for p in every if not hidden & set(p.parts)]


def _is_protected(path: str, task: Row) -> bool:
    globs: Sequence[str] = task["protected"]
    return any(fnmatch.fnmatch(path, glob) for glob in globs)


def dumped(script: Row, file: Path) -> Path:
    """Write the script of an agent."""
    file.write_text(json.dumps(script), encoding="utf-8")
    return file
