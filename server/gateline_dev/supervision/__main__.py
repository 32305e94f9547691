"""Validate the supervision of agents, and print each figure beside its aim (specification, section 11).

Scripted agents of known kinds work on the tasks of a corpus, in the product's own loop: without checkpoints
to the bound (control), as shipped (supervised), and degrading ones also without adjustment. The task's own
tests judge what is left. Results are kept in a file: the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from gateline.refinement.state import Rules
from gateline_dev.bench.environments import UnavailableError
from gateline_dev.bench.workspace import compile_own
from gateline_dev.refinement.corpus import add_options, python_of, split_of
from gateline_dev.supervision.agent import KINDS
from gateline_dev.supervision.corpus import Corpus, Row
from gateline_dev.supervision.figures import (
    CONTROL,
    SUPERVISED,
    UNADJUSTED,
    Figure,
    Run,
    Seen,
    by_kind,
    figures,
)
from gateline_dev.supervision.running import run

_ROUNDS = 6
Planned = tuple[Row, str, str]


def main(given: Sequence[str] | None = None) -> int:
    """Make the runs that were asked for and are not there yet, and print the report."""
    chosen = _arguments(given)
    known = _known(chosen.results)
    if not chosen.only_report:
        try:
            corpus = Corpus(chosen.corpus.resolve(), split_of(chosen), python_of(chosen))
        except (UnavailableError, FileNotFoundError) as error:
            print(f"not run: {error}", file=sys.stderr)
            return 0
        compile_own()
        for task, kind, mode in _missing(chosen, corpus.tasks(), known):
            found = run(corpus, task, kind, mode, Rules(rounds=chosen.rounds), chosen.seed)
            known.append(found)
            _keep(chosen.results, found)
            told = f"{found.rounds} rounds, {found.ended}, quality {found.quality:.2f}"
            print(f"{task['id']} {kind} {mode}: {told}, {found.seconds:.0f} s", file=sys.stderr, flush=True)
    print(report(known))
    return 0


def report(runs: Sequence[Run]) -> str:
    """The figures and the kinds as Markdown."""
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    tasks = len({run.task for run in runs})
    lines = [f"## supervision: {len(runs)} runs over {tasks} tasks", ""]
    lines += ["| figure | value | aim | | from |", "|---|---|---|---|---|", *map(_row, figures(runs))]
    lines += [
        "",
        "| kind | mode | runs | solved | accepted | quality | rounds |",
        "|---|---|---|---|---|---|---|",
    ]
    for (kind, mode), found in sorted(by_kind(runs).items()):
        counts = f"{sum(one.solved for one in found)} | {sum(one.accepted for one in found)}"
        means = [statistics.mean(getattr(one, name) for one in found) for name in ("quality", "rounds")]
        lines.append(f"| {kind} | {mode} | {len(found)} | {counts} | {means[0]:.2f} | {means[1]:.1f} |")
    return "\n".join([*lines, "", f"Load at the end: {load}, on {os.cpu_count()} processors."])


def _row(figure: Figure) -> str:
    def shown(value: float | None) -> str:
        if value is None:
            return "no data"
        return f"{value:.0f} {figure.unit}" if figure.unit else f"{value:.3g}"

    aim = "" if figure.aim is None else f"{'≥' if figure.more else '<'} {shown(figure.aim)}"
    told = {True: "reached", False: "**not reached**", None: ""}[figure.reached]
    return f"| {figure.name} | {shown(figure.value)} | {aim} | {told} | {figure.of} |"


def _missing(chosen: argparse.Namespace, tasks: Sequence[Row], known: Sequence[Run]) -> Iterator[Planned]:
    """The runs that are to be made, one task after the other with all of its kinds."""
    done = {(one.task, one.kind, one.mode) for one in known}
    kinds = chosen.kinds or list(KINDS)
    wanted = [task for task in tasks if not chosen.tasks or task["id"] in chosen.tasks]
    planned = [
        (task, kind, mode)
        for task in wanted
        for kind in kinds
        for mode in (CONTROL, SUPERVISED, *([UNADJUSTED] if kind == "degrading" else []))
        if (task["id"], kind, mode) not in done
    ]
    yield from planned[: chosen.runs]


def _known(file: Path) -> list[Run]:
    if not file.is_file():
        return []
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    return [Run(**{**row, "seen": {n: Seen(**s) for n, s in row["seen"].items()}}) for row in rows]


def _keep(file: Path, found: Run) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.write(json.dumps(asdict(found), sort_keys=True) + "\n")


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.supervision", description=__doc__)
    add_options(parser)
    add = parser.add_argument
    add("--runs", type=int, metavar="N", help="make at most so many runs now  [default: all]")
    add("--kinds", nargs="+", choices=list(KINDS), help="[default: all]")
    add("--tasks", nargs="+", metavar="ID", help="[default: all]")
    add("--rounds", type=int, default=_ROUNDS, help="of a loop, at most  [default: %(default)s]")
    add("--seed", type=int, default=1)
    add(
        "--results",
        type=Path,
        metavar="FILE",
        default=Path("supervision.jsonl"),
        help="[default: %(default)s]",
    )
    add("--only-report", action="store_true", help="of the results that are there")
    return parser.parse_args(given)


if __name__ == "__main__":
    sys.exit(main())
