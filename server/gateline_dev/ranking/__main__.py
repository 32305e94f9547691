"""The strategies of `gateline.ranking` on a corpus of candidates with known answers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gateline_dev.ranking.calibrating import calibrate
from gateline_dev.ranking.corpus import CodeTask, PatchTask, read
from gateline_dev.ranking.report import of_confidence, of_picks

_SIZES = (4, 8, 16)
_RUNS = (("all systems", ""), ("AutoCodeRover only", "acr"))


def main(arguments: Sequence[str]) -> int:
    """Print a report, or write the coefficients."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.ranking", description=__doc__)
    parser.add_argument("--corpus", type=Path, metavar="FOLDER", help="score every file of it")
    parser.add_argument(
        "--calibrate", type=Path, metavar="FILE", help="fit the confidence on a file of code tasks"
    )
    parser.add_argument("--no-confidence", action="store_true", help="only how often a right one is picked")
    asked = parser.parse_args(arguments)
    if asked.calibrate:
        print(calibrate([CodeTask(row) for row in read(asked.calibrate)]))
    if asked.corpus:
        files = sorted(asked.corpus.glob("*.jsonl"))
        if not files:
            parser.error(f"{asked.corpus} has no *.jsonl")
        for file in files:
            print("\n".join(_report(file, confidence=not asked.no_confidence)), flush=True)
    return 0 if asked.corpus or asked.calibrate else parser.error("give --corpus or --calibrate")


def _report(file: Path, *, confidence: bool) -> Iterator[str]:
    rows = read(file)
    yield f"# {file.name}: picked right, mean over tasks [95 % interval]"
    if "system" in rows[0]["candidates"][0]:
        for label, only in _RUNS:
            yield f"{label}:"
            yield from of_picks([PatchTask(row, only) for row in rows], 0)
        return
    tasks = [task for task in map(CodeTask, rows) if task.is_weak]
    for size in _SIZES:
        yield f"pools of {size}:"
        yield from of_picks(tasks, size)
    if confidence:
        yield from of_confidence(tasks, ((8,), _SIZES))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
