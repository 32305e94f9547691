"""Tests of real projects in the warm runner, beside plain pytest, printed as Markdown.

Source distributions are fetched by pip into the user's cache. Of each project all tests run first, then
random subsets in random orders; each runs warm, as an editor asks for it, and cold, as
`python -m pytest` of the same tests. Ends with 1 when a test ends otherwise and no reason is known. What was
compared is kept: a run that is ended goes on where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from gateline.services.tests.options import Limits, TestOptions
from gateline.services.tests.runner import TestRunner
from gateline_dev.bench.environments import CACHE as BENCH
from gateline_dev.bench.tables import table
from gateline_dev.runner.cold import ColdPytest
from gateline_dev.runner.compare import Compared, Reason, compare, from_json
from gateline_dev.truth.subjects import shared_environment, site_packages, subjects
from gateline_dev.truth.workbench import Workbench, locked

CACHE = BENCH.parent / "runner"
_MORE = Path(__file__).with_name("projects.toml")
"""Projects beside those of the truth harness."""
_SETTINGS = {"PYTEST_ADDOPTS": "-o asyncio_default_fixture_loop_scope=function"}
"""Unset, pytest-asyncio warns, which is an error in projects that do not know of it."""


def main(given: Sequence[str] | None = None) -> int:
    """Compare and print."""
    chosen = _parser().parse_args(given)
    rows = _kept(chosen.results)
    names = chosen.project.split(",")
    if not chosen.report:
        for name in names:
            missing = [n for n in range(chosen.subsets) if chosen.again or (name, chosen.seed, n) not in rows]
            if missing:
                rows |= {_key(row): row for row in _one(chosen, name, missing)}
    shown = [row for key, row in sorted(rows.items()) if key[0] in names and key[1] == chosen.seed]
    print(summary(shown))
    return 1 if any(row.wrong or row.unsaid for row in shown) else 0


def _parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m gateline_dev.runner",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add, names = made.add_argument, [*subjects(), *subjects(_MORE)]
    add("--project", default=",".join(names), metavar="NAMES", help=f"some of {', '.join(sorted(names))}")
    add(
        "--subsets",
        type=int,
        default=4,
        metavar="N",
        help="of each project, all its tests among them  [default: 4]",
    )
    add("--seed", type=int, default=0, help="of the dice  [default: 0]")
    add("--again", action="store_true", help="also what was compared before")
    add("--report", action="store_true", help="compare nothing; print what was compared")
    add(
        "--results", type=Path, default=CACHE / "results.jsonl", metavar="FILE", help="[default: %(default)s]"
    )
    return made


def _one(chosen: argparse.Namespace, name: str, numbers: list[int]) -> list[Compared]:
    folder, is_more = CACHE / "work" / name, name in subjects(_MORE)
    with locked(folder):
        bench = Workbench((subjects(_MORE) if is_more else subjects())[name], folder)
        bench.prepare(site_packages(shared_environment(_MORE) if is_more else shared_environment()))
        return asyncio.run(_all(chosen, bench, numbers))


async def _all(chosen: argparse.Namespace, bench: Workbench, numbers: list[int]) -> list[Compared]:
    more = _SETTINGS if bench.subject.name in subjects(_MORE) else {}
    environment = {**bench.environment, **more}
    options = TestOptions(bench.root, bench.python, environment=environment, limits=Limits(test=60))
    runner, cold = TestRunner(options), ColdPytest(bench.root, bench.python, environment)
    done = []
    try:
        for number in numbers:
            row = await compare(bench.subject.name, chosen.seed, number, runner, cold, bench.reset)
            _keep(chosen.results, row)
            done.append(row)
    finally:
        await runner.stop()
    return done


def _kept(file: Path) -> dict[tuple[str, int, int], Compared]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    rows = (from_json(json.loads(line)) for line in lines)
    return {_key(row): row for row in rows}


def _keep(file: Path, row: Compared) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row.as_json()) + "\n")
    counts = f"{row.items} items, {len(row.differences)} differ, {len(row.wrong)} unexplained"
    print(f"{row.project} {row.number}: {counts} {row.unsaid}".rstrip(), file=sys.stderr, flush=True)


def _key(row: Compared) -> tuple[str, int, int]:
    return row.project, row.seed, row.number


def summary(rows: Iterable[Compared]) -> str:
    """The tables, as Markdown."""
    by_project: dict[str, list[Compared]] = {}
    for row in rows:
        by_project.setdefault(row.project, []).append(row)
    lines = [_line(name, of) for name, of in by_project.items()]
    whole = [row for of in by_project.values() for row in of]
    lines.append(_line(f"all ({len(by_project)})", whole))
    found = [table(["project", "subsets", "items run", *Reason, "not run warm"], lines)]
    named = [[row.project, d.test, d.warm, d.cold, d.reason] for row in whole for d in row.differences]
    named += [
        [row.project, f"subset {row.number}", row.unsaid, "", Reason.NONE] for row in whole if row.unsaid
    ]
    if named:
        found.append(table(["project", "test", "warm", "cold", "reason"], named))
    return "\n\n".join(found)


def _line(name: str, rows: list[Compared]) -> list[str]:
    reasons = Counter(one.reason for row in rows for one in row.differences)
    counts = (reasons[reason] for reason in Reason)
    unsaid = sum(bool(row.unsaid) for row in rows)
    return [name, str(len(rows)), str(sum(row.items for row in rows)), *map(str, counts), str(unsaid)]


if __name__ == "__main__":
    sys.exit(main())
