"""Changes of real projects, judged by their own tests and by `gateline check`, printed as Markdown.

Source distributions are fetched by pip into the user's cache. Operators that know nothing of gateline
change them; the project's full pytest before and after says whether the change breaks what passed. Ends
with 1 when a breaking change is accepted, also on conditions, or an honest one is stopped because of
tests or left undecided. What was judged is kept: a run that is ended goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from gateline_dev.truth import timing
from gateline_dev.truth.cases import OPERATORS, Case, Court, every_case
from gateline_dev.truth.operators import Intent
from gateline_dev.truth.results import Results, summary
from gateline_dev.truth.subjects import CACHE, shared_environment, site_packages, subjects
from gateline_dev.truth.workbench import Workbench, locked

_EXAMPLES = """\
examples:
  python -m gateline_dev.truth --limit 50                    the next 50 changes that were not judged yet
  python -m gateline_dev.truth --project toolz --only drop-return,delete-data
  python -m gateline_dev.truth --case toolz:drop-return:0    one change, again
  python -m gateline_dev.truth --report                      the tables of what was judged
  python -m gateline_dev.truth --time                        check beside mypy, bandit and pytest --cov
"""


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="python -m gateline_dev.truth",
        description=__doc__,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    names, kinds = sorted(subjects()), [intent.value for intent in Intent]
    add(
        "--project",
        default=",".join(names),
        metavar="NAMES",
        help=f"some of {', '.join(names)}  [default: all]",
    )
    add("--only", default="", metavar="NAMES", help="operators, separated by commas  [default: all]")
    add("--intent", choices=kinds, help="only operators that mean to break something, or not to")
    add("--case", action="append", default=[], metavar="ID", help="this one, also when it was judged before")
    add("--violations", action="store_true", help="those that were violations, once more")
    add("--each", type=int, default=2, metavar="N", help="of one operator in one project  [default: 2]")
    add("--limit", type=int, metavar="N", help="judge at most so many changes")
    add("--seed", type=int, default=0, help="of the dice  [default: 0]")
    add("--jobs", type=int, default=1, metavar="N", help="projects at the same time  [default: 1]")
    add("--report", action="store_true", help="judge nothing; print the tables of what was judged")
    add("--time", action="store_true", help="time one change of each project instead")
    add(
        "--results", type=Path, default=CACHE / "results.jsonl", metavar="FILE", help="[default: %(default)s]"
    )
    add(
        "--work",
        type=Path,
        default=CACHE / "work",
        metavar="FOLDER",
        help="of the repositories  [default: %(default)s]",
    )
    add("--json", type=Path, metavar="FILE", help="write all rows as one JSON list")
    add("--list", action="store_true", help="name the operators, and what they do")
    return made


def main(given: Sequence[str] | None = None) -> int:
    """Judge and print."""
    chosen = parser().parse_args(given)
    if chosen.list:
        print("\n".join(f"{o.intent:8} {o.name}" for o in OPERATORS.values()))
        return 0
    if chosen.time:
        return _time(chosen)
    results = Results(chosen.results)
    if not chosen.report:
        _judge(chosen, results)
    rows = [row for row in results.rows.values() if row.seed == chosen.seed]
    print(summary(rows))
    if chosen.json:
        chosen.json.write_text(json.dumps([row.as_json() for row in rows], indent=1) + "\n", encoding="utf-8")
    return 1 if any(row.violation for row in rows) else 0


def _judge(chosen: argparse.Namespace, results: Results) -> None:
    by_project: dict[str, list[Case]] = {}
    for case in _cases(chosen, results):
        by_project.setdefault(case.project, []).append(case)
    packages = site_packages(shared_environment())
    with ThreadPoolExecutor(chosen.jobs) as pool:
        done = [
            pool.submit(_hear, chosen, name, cases, packages, results) for name, cases in by_project.items()
        ]
        for one in done:
            one.result()


def _cases(chosen: argparse.Namespace, results: Results) -> list[Case]:
    if chosen.case or chosen.violations:
        again = [row.id for row in results.rows.values() if row.violation] if chosen.violations else []
        return [_case(name, chosen.seed) for name in (*chosen.case, *again)]
    operators = [name for name in chosen.only.split(",") if name] or list(OPERATORS)
    operators = [n for n in operators if chosen.intent in (None, OPERATORS[n].intent)]
    cases = every_case(chosen.project.split(","), operators, chosen.each, chosen.seed)
    return [case for case in cases if case.id not in results.rows][: chosen.limit]


def _case(name: str, seed: int) -> Case:
    project, operator, number = name.split(":")
    return Case(project, operator, int(number), seed)


def _hear(chosen: argparse.Namespace, name: str, cases: list[Case], packages: Path, results: Results) -> None:
    with locked(chosen.work.resolve() / name):
        _hear_all(Court(_bench(chosen, name, packages), CACHE / "violations", _tell), cases, results)


def _hear_all(court: Court, cases: list[Case], results: Results) -> None:
    for case in cases:
        row = court.hear(case)
        results.add(row)
        said = f"{row.truth}: {row.outcome} in {row.seconds} s" if row.truth else "no place for it"
        _tell(f"{row.id} {said}" + (f"  VIOLATION, kept in {row.kept}" if row.violation else ""))


def _bench(chosen: argparse.Namespace, name: str, packages: Path) -> Workbench:
    bench = Workbench(subjects()[name], chosen.work.resolve() / name)
    bench.prepare(packages)
    return bench


def _time(chosen: argparse.Namespace) -> int:
    packages = site_packages(shared_environment())
    rows = []
    for name in chosen.project.split(","):
        bench = _bench(chosen, name, packages)
        with locked(bench.folder):
            rows.append(timing.measure(bench, *timing.pair(bench, chosen.seed)))
        _tell(str(rows[-1]))
    print(timing.told(rows))
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(row) for row in rows], indent=1) + "\n", encoding="utf-8")
    return 0


def _tell(what: str) -> None:
    print(what, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
