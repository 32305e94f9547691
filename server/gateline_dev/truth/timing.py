"""The time of `gateline check` beside what a person runs instead: mypy, bandit and pytest with coverage."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from gateline_dev.bench.tables import number, table
from gateline_dev.truth import door
from gateline_dev.truth.cases import Case
from gateline_dev.truth.tree import Edit
from gateline_dev.truth.workbench import Standing, Workbench

_WARMING = "touch-data", "new-page", "readme", "comment-in-test"


@dataclass(frozen=True)
class Times:
    """Seconds for one change of one project."""

    project: str
    about: str
    mypy: float
    bandit: float
    pytest: float
    cold: float
    """With fresh caches."""
    known: float
    """The base was judged before, the change was not."""
    again: float
    """The same content was judged before."""

    @property
    def sequence(self) -> float:
        """The three tools, one after another."""
        return self.mypy + self.bandit + self.pytest


def measure(bench: Workbench, edit: Edit, other: Edit) -> Times:
    """Time one change; `other` is another one of the same base, which makes it known."""
    bench.lay(edit, Standing.COMMITTED)
    tools = _tools(bench, edit)
    _forget(bench)
    bench.lay(edit, Standing.COMMITTED)
    cold = door.ask(bench, door.command(Standing.COMMITTED)).seconds
    _forget(bench)
    bench.lay(other, Standing.COMMITTED)
    door.ask(bench, door.command(Standing.COMMITTED))
    bench.lay(edit, Standing.COMMITTED)
    known = door.ask(bench, door.command(Standing.COMMITTED)).seconds
    again = door.ask(bench, door.command(Standing.COMMITTED)).seconds
    return Times(bench.subject.name, edit.about, *tools, cold, known, again)


def pair(bench: Workbench, seed: int) -> tuple[Edit, Edit]:
    """A change of code with a test, and a small one of the same base."""
    edit = Case(bench.subject.name, "add-function", 0, seed).draw(bench.tree)
    others = (
        Case(bench.subject.name, name, 0, seed).draw(bench.tree) for name in ("add-docstring", "add-comment")
    )
    other = next((drawn for drawn in others if drawn), None)
    if edit is None or other is None:
        raise RuntimeError(f"{bench.subject.name}: no change to time")
    return edit[0], other[0]


def _forget(bench: Workbench) -> None:
    """Take away what earlier runs kept."""
    for name in ("cache", "state"):
        shutil.rmtree(bench.folder / "home" / name, ignore_errors=True)


def _tools(bench: Workbench, edit: Edit) -> tuple[float, float, float]:
    changed = [path for path, content in edit.files.items() if path.endswith(".py") and content is not None]
    here = Path(sys.executable)
    mypy = [str(here), "-m", "mypy", "--cache-dir=/dev/null", "--python-executable", bench.python, *changed]
    bandit = [str(here), "-m", "bandit", "-q", *changed]
    covered = f"--cov={bench.subject.package.removesuffix('.py')}"
    pytest = [bench.python, "-m", "pytest", "-q", covered, "--cov-branch", "--cov-report="]
    return _seconds(bench, mypy), _seconds(bench, bandit), _seconds(bench, pytest)


def _seconds(bench: Workbench, command: Iterable[str]) -> float:
    # `-m` looks in the present folder first, where a module of the project may have a tool's name.
    safe = {"PYTHONSAFEPATH": "1"} if "pytest" not in command else {}
    began = time.perf_counter()
    environment = {**bench.environment, **safe}
    subprocess.run(list(command), cwd=bench.root, env=environment, capture_output=True, check=False)
    return time.perf_counter() - began


def told(rows: list[Times]) -> str:
    """The times and their ratios, as Markdown."""
    head = ["project", "mypy s", "bandit s", "pytest --cov s", "all three s"]
    head += ["cold s", "÷", "base known s", "÷", "judged before s"]
    lines = [_line(row) for row in rows]
    if rows:
        cold, known = (median(getattr(r, key) / r.sequence for r in rows) for key in ("cold", "known"))
        lines.append(
            ["median", *[""] * 5, _shown(cold), "", _shown(known), _shown(median(r.again for r in rows))]
        )
    asked = "Asked for: at most 1.25 × the three tools cold, 0.5 × with the base known, 0.4 s if judged."
    return f"{table(head, lines)}\n\n{asked}"


def _shown(value: float) -> str:
    return number(value, 2)


def _line(row: Times) -> list[str]:
    cold, known = row.cold / row.sequence, row.known / row.sequence
    seconds = (row.mypy, row.bandit, row.pytest, row.sequence, row.cold, cold, row.known, known, row.again)
    return [row.project, *map(_shown, seconds)]
