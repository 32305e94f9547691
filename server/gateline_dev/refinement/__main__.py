"""Score `gateline refine` with its built-in agent on tasks of several faults, and print Markdown.

The corpus is a folder with `tasks.py` and `tasks.jsonl`; beside it is the corpus of single faults that the
tasks are made of, `autodebug/`. Each task is laid out as a repository whose only commit is broken, the
command is run in it as a person would, and the corpus' own rules judge what is there then: every test that
passes on the intact package passes (solved); nothing that passed before fails, and no protected file differs
(else harmed). The baseline is one pass of `gateline fix` over what pytest prints. Ends with 0 in any case.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from gateline_dev.bench.environments import UnavailableError
from gateline_dev.bench.workspace import compile_own
from gateline_dev.refinement.corpus import add_options, python_of, scorer_of, split_of

_SECONDS = 900.0
Row = dict[str, Any]


def main(given: Sequence[str] | None = None) -> int:
    """Score the tasks that were asked for, by both doors."""
    chosen = _arguments(given)
    corpus: Path = chosen.corpus.resolve()
    try:
        scorer, split, python = scorer_of(corpus), split_of(chosen), python_of(chosen)
    except (UnavailableError, FileNotFoundError) as error:
        print(f"not scored: {error}", file=sys.stderr)
        return 0
    compile_own()
    tasks = _tasks(scorer, chosen.tasks or corpus / "tasks.jsonl", chosen)
    doors = ["refine"] if chosen.no_baseline else ["refine", "fix"]
    found = {door: list(_scored(scorer, split, tasks, python, door)) for door in doors}
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(report(found))
    return 0


def report(found: Mapping[str, Sequence[Row]]) -> str:
    """The figures of each door, and the factor between them."""
    lines = [
        "## refinement",
        "",
        "| door | solved | harmed | tests passing | median s | median s of processor | mean rounds |",
    ]
    lines += ["|---|---|---|---|---|---|---|", *(_line(door, rows) for door, rows in found.items())]
    if found.get("fix"):
        solved, before = (sum(row["solved"] for row in found[door]) for door in ("refine", "fix"))
        factor = f"{solved / before:.1f}x" if before else "the baseline solves none"
        lines += ["", f"Factor against one pass of `gateline fix`: {factor} ({solved} to {before})."]
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    return "\n".join([*lines, "", f"Load at the end: {load}, on {os.cpu_count()} processors."])


def _line(door: str, rows: Sequence[Row]) -> str:
    count = max(1, len(rows))
    solved, harmed = (sum(row[name] for row in rows) for name in ("solved", "harmed"))
    passing = statistics.mean(row["passing"] for row in rows) if rows else 0.0
    seconds = statistics.median(row["seconds"] for row in rows) if rows else 0.0
    rounds = statistics.mean(row["said"].get("rounds", 0) for row in rows) if rows else 0.0
    used = statistics.median(row["said"].get("processor", 0.0) for row in rows) if rows else 0.0
    share = f"{solved}/{len(rows)} ({solved / count:.1%})"
    return f"| {door} | {share} | {harmed} | {passing:.1%} | {seconds:.0f} | {used:.0f} | {rounds:.1f} |"


def _scored(scorer: ModuleType, split: Path, tasks: Sequence[Row], python: str, door: str) -> Iterator[Row]:
    """What became of each task; its own state and caches, so that none learns of another."""
    for task in tasks:
        with tempfile.TemporaryDirectory(prefix="gateline-refinement-") as place:
            said = Path(place) / "said.jsonl"
            os.environ |= {"XDG_CACHE_HOME": f"{place}/cache", "XDG_STATE_HOME": f"{place}/state"}
            command = [sys.executable, "-m", "gateline_dev.refinement.doors", door, str(said)]
            for row in scorer.score(split, [task], python, command, _SECONDS):
                told = said.read_text(encoding="utf-8").splitlines() if said.is_file() else []
                row["said"] = json.loads(told[-1]) if told else {}
                print(json.dumps({"door": door, **row}), file=sys.stderr, flush=True)
                yield row


def _tasks(scorer: ModuleType, file: Path, chosen: argparse.Namespace) -> list[Row]:
    rows: list[Row] = scorer.rows(file)
    if chosen.id:
        rows = [row for row in rows if row["id"] in chosen.id]
    return rows[chosen.skip :][: chosen.limit]


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.refinement", description=__doc__)
    add_options(parser)
    add = parser.add_argument
    add("--tasks", type=Path, metavar="FILE", help="[default: tasks.jsonl of the corpus]")
    add("--skip", type=int, default=0, metavar="N", help="leave out so many tasks")
    add("--limit", type=int, metavar="N", help="only so many tasks")
    add("--id", action="append", help="only the task of this name; can be repeated")
    add("--no-baseline", action="store_true", help="do not run the pass of gateline fix")
    add("--json", type=Path, metavar="FILE", help="write what became of each task")
    return parser.parse_args(given)


if __name__ == "__main__":
    sys.exit(main())
