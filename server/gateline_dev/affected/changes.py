"""Selection beside the truth, for changes of any kind: `python -m gateline_dev.affected.changes`.

The operators of `gateline_dev.truth` change real projects: Python, data files, settings, new and removed
files. All tests were measured at the base; after each change it is noted which tests are selected, and then
all of them run. Of those that fail and passed before, how many were selected? Ends with 1 when one was not.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from gateline.model import FileStatus
from gateline.services.tests.book import TestBook
from gateline.services.tests.options import TestOptions
from gateline.services.tests.runner import TestRunner
from gateline.testing.result import Ending
from gateline_dev.bench.results import quantile
from gateline_dev.bench.tables import number, table
from gateline_dev.truth.cases import OPERATORS, Case, every_case
from gateline_dev.truth.operators import Intent
from gateline_dev.truth.subjects import CACHE, shared_environment, site_packages, subjects
from gateline_dev.truth.tree import Edit, Tree
from gateline_dev.truth.workbench import Standing, Workbench, locked


@dataclass(frozen=True)
class Row:
    """One change, and what was selected of the tests that fail for it."""

    id: str
    about: str
    total: int
    """Tests that are collected."""
    selected: int
    failing: int
    """Those that passed at the base and fail now."""
    missed: list[str] = field(default_factory=list)
    """Of these, those that were not selected."""
    is_code: bool = False
    """It edits Python files, and brings or removes none."""

    @property
    def share(self) -> float:
        """Of all tests, how many were selected, in percent."""
        return 100 * self.selected / self.total if self.total else 0.0


class Counter:
    """One project whose tests were measured at the base."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self.runner = TestRunner(TestOptions(bench.root, bench.python, environment=bench.environment))
        self._kept = bench.folder / "book"
        """What is known after the tests were measured; each change begins with it."""
        self.book = TestBook(bench.root, self._kept)
        self.passing: frozenset[str] = frozenset()

    async def begin(self) -> None:
        """Measure all tests at the base, twice: what ends differently there says nothing."""
        self._kept.unlink(missing_ok=True)
        self.bench.reset()
        await self.selected({})
        first = await self.runner.run(None, {})
        await self.book.ran(first, {})
        again = await self.runner.run(None, {}, coverage=False)
        good = [{r.id for r in run.results if r.ending is Ending.PASSED} for run in (first, again)]
        self.passing = frozenset(good[0] & good[1])
        await self.book.stop()

    async def selected(self, change: dict[str, FileStatus]) -> frozenset[str] | None:
        """The tests that are chosen for what lies on the bench; None where nothing can be collected."""
        await self.runner.discover({})
        if self.runner.collection is None:
            return None
        await self.book.collected(self.runner.collection, {})
        listed = self.bench.git("ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0")
        chosen = await self.book.select({}, filter(None, listed), change)
        return frozenset(one.test for one in chosen)

    async def of(self, name: str, edit: Edit) -> Row | None:
        """Lay a change, select, and run all."""
        self.bench.lay(edit, Standing.WORK_TREE)
        change = {path: _status(self.bench.tree, path, edit) for path in edit.files}
        mine = self._kept.with_suffix(".change")
        shutil.copyfile(self._kept, mine)
        self.book = TestBook(self.bench.root, mine)
        chosen = await self.selected(change)
        await self.book.stop()
        if chosen is None or self.runner.collection is None:
            return None
        run = await self.runner.run(None, {}, coverage=False)
        failing = {result.id for result in run.results if result.is_bad} & self.passing
        edits = all(p.endswith(".py") and s is FileStatus.MODIFIED for p, s in change.items())
        total = len(self.runner.collection.items)
        return Row(name, edit.about, total, len(chosen), len(failing), sorted(failing - chosen), edits)

    async def stop(self) -> None:
        """End all processes."""
        await asyncio.gather(self.runner.stop(), self.book.stop())


def _status(tree: Tree, path: str, edit: Edit) -> FileStatus:
    if edit.files[path] is None:
        return FileStatus.DELETED
    return FileStatus.MODIFIED if path in tree.files else FileStatus.ADDED


@asynccontextmanager
async def counter(name: str, work: Path) -> AsyncIterator[Counter]:
    """A project's counter, ended at the end."""
    with locked(work / name):
        bench = Workbench(subjects()[name], work / name)
        bench.prepare(site_packages(shared_environment()))
        made = Counter(bench)
        try:
            await made.begin()
            yield made
        finally:
            await made.stop()
            bench.reset()


def summary(rows: Sequence[Row]) -> str:
    """What all changes together say, as Markdown."""
    failing, missed = sum(row.failing for row in rows), sum(len(row.missed) for row in rows)
    breaking = [row for row in rows if row.failing]
    whole = [row for row in breaking if not row.missed]
    shares = [row.share for row in rows if row.is_code]
    told = [
        ["changes", str(len(rows))],
        ["of these, some test fails for", str(len(breaking))],
        ["of these, all failing tests selected", str(len(whole))],
        ["failing tests", str(failing)],
        ["of these, selected, %", number(100 * (1 - missed / failing) if failing else None, 2)],
        [
            f"{len(shares)} edits of Python: share of tests selected, p50 / p90, %",
            " / ".join(number(quantile(shares, q), 1) for q in (0.5, 0.9)),
        ],
        ["all changes: share of tests selected, p50, %", number(quantile([r.share for r in rows], 0.5), 1)],
    ]
    return table(["what", "value"], told)


def _cases(chosen: argparse.Namespace) -> Iterator[Case]:
    operators = [name for name in chosen.only.split(",") if name] or list(OPERATORS)
    operators = [n for n in operators if chosen.intent in (None, OPERATORS[n].intent)]
    yield from every_case(chosen.project.split(","), operators, chosen.each, chosen.seed)


async def _counted(chosen: argparse.Namespace) -> list[Row]:
    rows: list[Row] = []
    cases = list(_cases(chosen))[: chosen.limit]
    for name in dict.fromkeys(case.project for case in cases):
        async with counter(name, chosen.work.resolve()) as at:
            _tell(f"{name}: {len(at.passing)} tests pass at the base")
            for case in cases:
                drawn = case.draw(at.bench.tree) if case.project == name else None
                row = await at.of(case.id, drawn[0]) if drawn else None
                if row is not None:
                    rows.append(row)
                    _tell(f"{row.id} ({row.about}): {row.failing} fail, {row.share:.0f} % selected")
                    _tell("\n".join(f"  MISSED {test}" for test in row.missed[:5])) if row.missed else None
    return rows


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m gateline_dev.affected.changes",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add, names = parser.add_argument, sorted(subjects())
    add("--project", default=",".join(names), metavar="NAMES", help="separated by commas  [default: all]")
    add("--only", default="", metavar="NAMES", help="operators, separated by commas  [default: all]")
    add("--intent", choices=[intent.value for intent in Intent], help="only operators that mean it so")
    add("--each", type=int, default=1, metavar="N", help="of one operator in one project  [default: 1]")
    add("--limit", type=int, metavar="N", help="at most so many changes")
    add("--seed", type=int, default=0, help="of the dice  [default: 0]")
    add("--work", type=Path, default=CACHE / "work", metavar="FOLDER", help="[default: %(default)s]")
    add("--json", type=Path, metavar="FILE", help="write all rows")
    chosen = parser.parse_args(given)
    rows = asyncio.run(_counted(chosen))
    print(summary(rows))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    return 1 if any(row.missed for row in rows) else 0


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
