"""Compares the type findings on unsaved text with what mypy says of the same text in files.

A resident checker is given random edits of real projects, as an editor would send them. After each, the
findings it has for the open documents are held against a run of mypy in a process of its own, on a copy of
the project. Ends with 1 when they agree less often than they must.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gateline.model import Report, State
from gateline.services.typecheck import TypeChecker
from gateline.services.types.messages import Setup
from gateline.services.types.options import TypeOptions
from gateline_dev.bench.environments import environment
from gateline_dev.bench.projects import BLACK, BLACK_DEPENDENCIES, DEPENDENCIES, PROJECTS, Project, fetch
from gateline_dev.mypy_edits import Edit, edits
from gateline_dev.mypy_truth import BlockedError, Row, Truth

_OPEN = 8
"""Documents that are open at a time."""
_OUTSTANDING = 5
"""Edits after which the documents go back to what they were."""
_COLD_SHARE = 0.05
"""How many of the comparisons that agree are made again with a mypy that has no cache."""
_RESIDENT, _RECONCILED = 0.99, 1.0
"""How often they must agree."""
_LATER = "unused-ignore"
"""What the resident engine leaves to an ordinary run."""


@dataclass
class Tally:
    """How often was compared, and each disagreement."""

    name: str
    compared: int = 0
    agreed: int = 0

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.agreed / self.compared if self.compared else 1.0

    def add(self, same: bool) -> None:
        """One comparison."""
        self.compared += 1
        self.agreed += same

    def __str__(self) -> str:
        return f"{self.name}: {self.agreed} of {self.compared} ({self.share:.1%})"


@dataclass
class Trial:
    """One project with its open documents."""

    project: Project
    truth: Truth
    checker: TypeChecker
    dice: random.Random
    saved: Mapping[str, str]
    texts: dict[str, str] = field(default_factory=dict)
    shown: dict[str, set[Row]] = field(default_factory=dict)
    """What a person would see now."""
    resident: Tally = field(default_factory=lambda: Tally("resident engine"))
    preview: Tally = field(default_factory=lambda: Tally("one function alone, of the edits that allow it"))
    reconciled: Tally = field(default_factory=lambda: Tally("after reconciliation"))
    cold: Tally = field(default_factory=lambda: Tally("mypy with its cache against mypy without"))

    async def run(self, count: int) -> None:
        """Open the documents, then edit them."""
        self.texts = dict(self.saved)
        for path, text in self.texts.items():
            await self.type({path: text})
        await self.compare(0, "open")
        source = edits(self.dice, self.texts)
        for number in range(1, count + 1):
            edit = next(source)
            await (self.break_and_repair(edit) if edit.breaks else self.type(edit.texts))
            await self.compare(number, f"{edit.kind} in {', '.join(edit.texts)}")
            if number % _OUTSTANDING == 0 or self.dice.random() < 0.1:
                await self.type({p: t for p, t in self.saved.items() if self.texts[p] != t})
                await self.compare(number, f"back to what was saved after {edit.kind}")

    async def type(self, texts: Mapping[str, str]) -> None:
        """Send texts, one after the other."""
        for path, text in texts.items():
            soon = await self.checker.preview(path, text)
            checked = await self.checker.update({path: text})
            if path in soon.reports and path in checked.reports:
                said, then = rows_of(soon.reports[path]), rows_of(checked.reports[path])
                self.preview.add(self._told("preview", 0, f"an edit of {path}", said, then))
            self.shown |= {p: rows_of(report) for p, report in checked.reports.items()}
        self.texts |= texts
        self.truth.write(texts)

    async def break_and_repair(self, edit: Edit) -> None:
        """A text that does not parse, an edit of another meanwhile, and the repair with a change."""
        ((path, broken),) = edit.texts.items()
        await self.checker.update({path: broken})
        others = {p: t for p, t in self.texts.items() if p != path}
        while (meanwhile := next(edits(self.dice, others))).breaks:
            pass
        await self.type(meanwhile.texts)
        await self.compare(-1, f"{meanwhile.kind} while {path} is broken", broken=path)
        await self.type({path: self.texts[path] + "\n"})

    async def compare(self, number: int, what: str, *, broken: str = "") -> None:
        """Hold what is shown, and what an ordinary run says, against mypy.

        A `broken` document shows what it showed last, so nothing is said of it, nor of an ordinary run.
        """
        try:
            expected = await asyncio.to_thread(self.truth.rows, self.texts)
        except BlockedError as error:
            print(f"{self.project.name} {number}: mypy is blocked: {str(error).strip()}", flush=True)
            return
        expected = {row for row in expected if row.path != broken}
        shown = {row for path, rows in self.shown.items() if path != broken for row in rows}
        plain = expected if broken else await self.plain()
        if self.dice.random() < _COLD_SHARE or not _same(shown, expected) or not _same(plain, expected):
            cold = await asyncio.to_thread(self.truth.rows, self.texts, cold=True)
            cold = {row for row in cold if row.path != broken}
            self.cold.add(cold == expected)
            expected = cold
        told = {row for row in expected if row.code != _LATER}
        self.resident.add(self._told("resident", number, what, shown, told))
        if not broken:
            self.reconciled.add(self._told("reconciled", number, what, plain, expected))

    async def plain(self) -> set[Row]:
        """What an ordinary run over the open documents says of them."""
        reports = await self.checker.plain(self.texts)
        return {row for path in self.texts if path in reports for row in rows_of(reports[path])}

    def _told(self, which: str, number: int, what: str, rows: set[Row], expected: set[Row]) -> bool:
        rows = _comparable(rows, expected)
        if rows == expected:
            return True
        print(f"{self.project.name} {number}: {which} disagrees after: {what}")
        for sign, only in (("- mypy alone", expected - rows), ("+ ours alone", rows - expected)):
            for row in sorted(only, key=str):
                print(f"  {sign}: {row.path}:{row.line}:{row.column}: {row.message} [{row.code}]")
        sys.stdout.flush()
        return False


def _same(rows: set[Row], expected: set[Row]) -> bool:
    told = {r for r in expected if r.code != _LATER}
    return _comparable(rows, expected) in (expected, told)


def _comparable(rows: Iterable[Row], expected: Iterable[Row]) -> set[Row]:
    """Without the columns that `expected` has none for."""
    open_ = {row for row in expected if row.column is None}
    bare = ((row, row._replace(column=None)) for row in rows)
    return {without if without in open_ else row for row, without in bare}


def rows_of(report: Report) -> set[Row]:
    """The findings of a report; a report without any because it failed is a row of its own."""
    if report.state is not State.MEASURED:
        return {Row("", 0, None, "", f"{report.state}: {report.reason}")}
    found = ((f, f.span.start, f.origin.removeprefix("mypy").removeprefix(": ")) for f in report.findings)
    return {Row(f.path, at.line + 1, at.column + 1, code, f.message) for f, at, code in found}


def documents(project: Project, root: Path, dice: random.Random) -> dict[str, str]:
    """The edited file, and others of its package at random."""
    folder = root / Path(project.target).parent
    others = [f.relative_to(root).as_posix() for f in sorted(folder.glob("*.py")) if f.stat().st_size > 1000]
    chosen = {project.target, *dice.sample([p for p in others if p != project.target], _OPEN - 1)}
    return {path: (root / path).read_text(encoding="utf-8") for path in sorted(chosen)}


async def agree(project: Project, count: int, seed: int, scratch: Path) -> Trial:
    """Edit a project `count` times."""
    python = environment("agreement", (*DEPENDENCIES, *BLACK_DEPENDENCIES)) / "bin" / "python"
    root = scratch / "unsaved"
    shutil.copytree(fetch(project), root)
    dice = random.Random(seed)
    setup = Setup(str(root), str(python), str(scratch / "cache"))
    checker = TypeChecker(TypeOptions(setup, memory_cap=350_000_000, timeout=120))
    saved = documents(project, root, dice)
    trial = Trial(project, Truth(root, scratch / "saved", python), checker, dice, saved)
    try:
        await trial.run(count)
    finally:
        await checker.stop()
    return trial


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """What was asked for. Raises SystemExit(2) for what there is not."""
    known = {project.name: project for project in (*PROJECTS, BLACK) if not project.files}
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.mypy_agreement", description=__doc__)
    parser.add_argument("--edits", type=int, default=200, help="how many for each project (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another one: other edits (%(default)s)")
    parser.add_argument("--project", nargs="+", choices=known, default=list(known), metavar="NAME")
    chosen = parser.parse_args(given)
    chosen.projects = [known[name] for name in chosen.project]
    return chosen


def main(given: Sequence[str] | None = None) -> int:
    """Run, print, judge."""
    asked = arguments(given)
    good = True
    for project in asked.projects:
        with tempfile.TemporaryDirectory(prefix="gateline-agreement-") as folder:
            trial = asyncio.run(agree(project, asked.edits, asked.seed, Path(folder).resolve()))
        print(
            project.name, trial.preview, trial.resident, trial.reconciled, trial.cold, sep="\n  ", flush=True
        )
        good = good and trial.resident.share >= _RESIDENT and trial.reconciled.share >= _RECONCILED
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
