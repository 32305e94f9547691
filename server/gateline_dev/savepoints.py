"""Measures savepoints on repositories that are made for it: the first one, warm ones, and what they take.

Prints Markdown. Beside each time stands that of `git status` in the same repository: it tells of the machine.
In brackets stand milliseconds of processor time, of git and of this process: others on the machine add to the
rest. The repositories are packed, as those are that were cloned.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from gateline.store.savepoints.planning import plan
from gateline.store.savepoints.restoring import Restoring
from gateline.store.savepoints.taking import Savepoints

_EDITED = 40
"""Files that are written before each savepoint."""
_LINES = 300
_STATUS = ("git", "status", "--short")


def repository(folder: Path, files: int, dice: random.Random) -> list[Path]:
    """A committed repository of so many Python files."""
    made = []
    for number in range(files):
        file = folder / f"package{number // 50}" / f"module{number}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"value{n} = {dice.randrange(10**6)}\n" for n in range(_LINES)))
        made.append(file)
    commit = ("commit", "--quiet", "--message", "begin")
    for command in (("init", "--quiet"), ("add", "--all"), commit, ("repack", "-a", "-d", "--quiet")):
        identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "gc.auto=0")
        subprocess.run(["git", *identity, *command], cwd=folder, check=True)
    return made


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds that something took, and of the processor."""

    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{self.wall:,.0f} ({self.processor:,.0f})"


def taken(work: Callable[[], object]) -> Taken:
    """How long something takes."""
    began, busy = perf_counter(), _busy()
    work()
    return Taken(1000 * (perf_counter() - began), 1000 * (_busy() - busy))


def _busy() -> float:
    """Seconds of processor time so far, with those of child processes that have ended."""
    return sum(os.times()[:4])


def median(times: Sequence[Taken]) -> Taken:
    """The middle of each."""
    return Taken(statistics.median(t.wall for t in times), statistics.median(t.processor for t in times))


def measured(files: int, rounds: int) -> str:
    """One row of the table."""
    dice = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="gateline-savepoints-") as folder:
        root, state = Path(folder) / "repository", Path(folder) / "state"
        paths = repository(root, files, dice)
        savepoints = Savepoints(root, state)
        first = taken(lambda: savepoints.take("first", datetime.now(UTC)))
        begin, warm, status = savepoints.size(), [], []
        for _ in range(rounds):
            for file in dice.sample(paths, _EDITED):
                file.write_text(file.read_text() + f"edited = {dice.random()}\n")
            warm.append(taken(lambda: savepoints.take("warm", datetime.now(UTC))))
            status.append(taken(lambda: subprocess.run(_STATUS, cwd=root, capture_output=True)))
        growth = (savepoints.size() - begin) / rounds / 1e6
        planned = plan(savepoints, savepoints.all()[-1], datetime.now(UTC))
        restored = taken(lambda: Restoring(savepoints).in_place(planned))
    return f"| {files:,} | {first} | {median(warm)} | {median(status)} | {growth:.2f} | {restored} |"


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.savepoints", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="warm savepoints (%(default)s)")
    parser.add_argument("--files", type=int, nargs="+", default=[3_000, 20_000], help="%(default)s")
    asked = parser.parse_args(given)
    print(f"{_EDITED} edited files each; milliseconds, of warm savepoints the median of {asked.rounds}.\n")
    print("| files | first | warm | `git status` | MB a savepoint | all restored |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for files in asked.files:
        print(measured(files, asked.rounds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
