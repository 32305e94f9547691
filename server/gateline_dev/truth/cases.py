"""Cases: which operator changes which project, how git has it, and what became of it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from gateline_dev.truth import door, judge
from gateline_dev.truth.judge import Judged, Truth
from gateline_dev.truth.operators import (
    Intent,
    Operator,
    breaking_code,
    breaking_files,
    honest_code,
    honest_files,
    honest_moves,
)
from gateline_dev.truth.operators.sites import after_head, inserted
from gateline_dev.truth.pytest_runs import Endings, run
from gateline_dev.truth.tree import Edit, Tree
from gateline_dev.truth.workbench import Standing, Workbench

OPERATORS: dict[str, Operator] = {
    operator.name: operator
    for module in (breaking_code, breaking_files, honest_code, honest_moves, honest_files)
    for operator in module.OPERATORS
}
UNTIMED = {"GATELINE_TESTS__PERFORMANCE_BUDGET": "0"}
"""Timing the tests of a change beside the base decides nothing about tests that fail."""
_MARGIN = 10
"""How many times the base's seconds a run may take."""


@dataclass(frozen=True)
class Case:
    """One change of one project. The same identifier and seed give the same change."""

    project: str
    operator: str
    number: int
    seed: int = 0

    @property
    def id(self) -> str:
        """As it is written on the command line."""
        return f"{self.project}:{self.operator}:{self.number}"

    @property
    def dice(self) -> Random:
        """Its own dice."""
        return Random(f"{self.seed}:{self.id}")

    def draw(self, tree: Tree) -> tuple[Edit, Standing] | None:
        """The edit, and how git has it; None where the project has no place for the operator."""
        dice = self.dice
        standing = dice.choice(list(Standing))
        operator = OPERATORS[self.operator]
        edit = operator.apply(tree, dice)
        if edit is None or all(tree.files.get(path) == content for path, content in edit.files.items()):
            return None
        if operator.intent is Intent.BREAKING and dice.random() < 0.5:
            edit = _with_a_comment(tree, edit, dice)
        return edit, standing


def _with_a_comment(tree: Tree, edit: Edit, dice: Random) -> Edit:
    """The same with a comment in another source."""
    paths = [path for path in tree.sources if path not in edit.files]
    if not paths:
        return edit
    path = dice.choice(paths)
    text = inserted(tree.text(path), after_head(tree.module(path)), "# See the manual for more.\n")
    return replace(
        edit, files={**edit.files, path: text.encode()}, about=f"{edit.about}, a comment in {path}"
    )


def every_case(projects: list[str], operators: list[str], each: int, seed: int) -> Iterator[Case]:
    """All cases, in an order of which a prefix has every operator, over all projects."""
    for number in range(each):
        for turn in range(len(projects)):
            for place, operator in enumerate(operators):
                yield Case(projects[(place + turn) % len(projects)], operator, number, seed)


@dataclass(frozen=True)
class Row:
    """What became of one case."""

    id: str
    project: str
    operator: str
    seed: int
    standing: str = ""
    about: str = ""
    truth: str = ""
    """What the project's tests say; empty where the operator found no place."""
    lost: list[str] = field(default_factory=list)
    outcome: str = ""
    code: int | None = None
    floors: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    stops_for_tests: bool = False
    seconds: float = 0.0
    tested: float = 0.0
    """Seconds of pytest on the change."""
    violation: str = ""
    kept: str = ""
    """The folder of a violation."""

    def as_json(self) -> dict[str, Any]:
        """As it is stored."""
        return asdict(self)


class Court:
    """One project's bench, its base, and the judging of its cases."""

    def __init__(self, bench: Workbench, kept: Path, tell: Callable[[str], None]) -> None:
        self.bench, self._kept, self._tell = bench, kept, tell

    @cached_property
    def _base(self) -> tuple[frozenset[str], float]:
        """Tests that pass twice at the base, and the seconds of a run."""
        self.bench.reset()
        first, second = self._run(60.0), self._run(60.0)
        passing = judge.steady(first, second)
        self._tell(f"{self.bench.subject.name}: {len(passing)} test functions pass in {second.seconds:.1f} s")
        if not passing:
            raise RuntimeError(f"{self.bench.subject.name}: no test passes at the base: {first.tail}")
        return passing, second.seconds

    def _run(self, patience: float) -> Endings:
        bench = self.bench
        return run(bench.root, bench.python, bench.environment, bench.folder / "report.xml", patience)

    def hear(self, case: Case) -> Row:
        """Judge one case by its tests, then by gateline."""
        row = Row(case.id, case.project, case.operator, case.seed)
        drawn = case.draw(self.bench.tree)
        if drawn is None:
            return row
        edit, standing = drawn
        truth, after = self._truth(edit)
        row = replace(row, standing=standing, about=edit.about, truth=truth.truth, lost=list(truth.lost[:5]))
        self.bench.lay(edit, standing)
        arguments = door.command(standing)
        verdict = door.ask(self.bench, arguments, UNTIMED)
        row = replace(
            row,
            outcome=verdict.outcome,
            code=verdict.code,
            floors=verdict.floors,
            reasons=verdict.reasons,
            stops_for_tests=verdict.stops_for_tests,
            seconds=round(verdict.seconds, 2),
            tested=round(after.seconds, 2),
            violation=violation(truth, verdict),
        )
        return replace(row, kept=self._keep(row, arguments)) if row.violation else row

    def _truth(self, edit: Edit) -> tuple[Judged, Endings]:
        passing, seconds = self._base
        self.bench.lay(edit, Standing.WORK_TREE)
        after = self._run(seconds * _MARGIN)
        return judge.compare(passing, after, edit), after

    def _keep(self, row: Row, arguments: list[str]) -> str:
        """Keep the repository of a violation as it was judged, with a script that asks again."""
        folder = self._kept / row.id.replace(":", "-")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.bench.root, folder / self.bench.subject.name, symlinks=True)
        environment = {**self.bench.environment, **UNTIMED}
        variables = " ".join(f"{key}='{value}'" for key, value in environment.items())
        command = f"exec env -i {variables} '{door.program()}' {' '.join(arguments)} \"$@\"\n"
        about = f"#!/bin/sh\n# {row.violation}: {row.about}\n"
        script = f'{about}cd "$(dirname "$0")/{self.bench.subject.name}"\n{command}'
        (folder / "again.sh").write_text(script, encoding="utf-8")
        return str(folder)


def violation(truth: Judged, verdict: door.Verdict) -> str:
    """How a verdict contradicts the truth; empty when it does not."""
    if truth.truth is Truth.BREAKING and verdict.is_passing:
        return f"a breaking change: {verdict.outcome}, exit code {verdict.code}"
    if truth.truth is Truth.HONEST and verdict.stops_for_tests:
        return "an honest change is stopped because of tests"
    if truth.truth is Truth.HONEST and verdict.outcome in ("undecided", "did not end"):
        return f"an honest change: {verdict.outcome}"
    return ""
