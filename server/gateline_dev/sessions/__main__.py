"""Random editor sessions: at rest, what is drawn is what a new server draws, and what `gateline check` says.

Each session does what people, their editors and other programs do to a small project. Ends with 1 where
something differs. `--soak` instead works for hours with one server, and watches its memory and handles.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from gateline_dev.sessions import soak
from gateline_dev.sessions.operations import Op, script
from gateline_dev.sessions.results import Results, Row, page
from gateline_dev.sessions.running import one
from gateline_dev.truth.subjects import CACHE

_EXAMPLES = """\
examples:
  python -m gateline_dev.sessions --count 1000             in one process each, in virtual time
  python -m gateline_dev.sessions --door far --count 100   with real servers
  python -m gateline_dev.sessions --seed 41 --count 1 --shrink    one again, and its shortest form
  python -m gateline_dev.sessions --report                 the tables of all that was tried
  python -m gateline_dev.sessions --soak --minutes 120     two hours of work with one server
"""


def parser() -> argparse.ArgumentParser:
    """The options."""
    made = argparse.ArgumentParser(
        prog="python -m gateline_dev.sessions",
        description=__doc__,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("--seed", type=int, default=0, metavar="N", help="of the first session  [default: 0]")
    add("--count", type=int, default=100, metavar="N", help="sessions, one a seed  [default: 100]")
    add("--door", choices=("near", "far"), default="near", help="[default: near]")
    add("--jobs", type=int, default=1, metavar="N", help="sessions at the same time  [default: 1]")
    add("--again", action="store_true", help="also those that were tried before")
    add("--shrink", action="store_true", help="look for the shortest form of each that differs")
    add("--ops", type=Path, metavar="FILE", help="do these operations, a JSON list, instead")
    add("--report", action="store_true", help="try nothing; print the tables of what was tried")
    add("--json", action="store_true", help="print the rows that differ as JSON instead")
    add(
        "--results",
        type=Path,
        default=CACHE / "sessions.jsonl",
        metavar="FILE",
        help="[default: %(default)s]",
    )
    add("--soak", action="store_true", help="work for long with one server instead")
    add("--minutes", type=float, default=120.0, metavar="N", help="of --soak  [default: 120]")
    return made


def main(given: Sequence[str] | None = None) -> int:
    """Try and print."""
    chosen = parser().parse_args(given)
    if chosen.soak:
        return soak.main(chosen.minutes, chosen.seed)
    results = Results(chosen.results)
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    if not chosen.report:
        for row in _tried(chosen, seeds, results):
            results.add(row)
            said = f"differs: {'; '.join(row.kinds)}  {row.trouble}" if row.kinds else "equal"
            print(f"{row.door} {row.seed}, {row.operations} operations: {said}", file=sys.stderr, flush=True)
    rows = [row for row in results.rows.values() if chosen.report or row.seed in seeds]
    differing = [row for row in rows if row.kinds]
    print(json.dumps([row.__dict__ for row in differing], indent=1) if chosen.json else page(rows))
    return 1 if differing else 0


def _tried(chosen: argparse.Namespace, seeds: Sequence[int], results: Results) -> Iterator[Row]:
    wanted = [seed for seed in seeds if chosen.again or chosen.ops or (chosen.door, seed) not in results.rows]
    # Each process is its own world: a session here changes the environment and stands in for processes.
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(chosen.jobs, spawning, max_tasks_per_child=None) as pool:
        begun = [
            pool.submit(one, chosen.door, seed, _operations(chosen, seed), chosen.shrink) for seed in wanted
        ]
        for done in as_completed(begun):
            yield done.result()


def _operations(chosen: argparse.Namespace, seed: int) -> tuple[Op, ...]:
    if chosen.ops is None:
        return script(seed)
    return tuple(map(Op.of, json.loads(chosen.ops.read_text(encoding="utf-8"))))


if __name__ == "__main__":
    sys.exit(main())
