"""Measures how long it takes to look for work that was left, among worklogs that are made for it.

Prints Markdown. Each round is a process of its own, as an editor that opens a workspace: the time is that of
opening the store and looking, without starting Python.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gateline.session.tasks.tasks import Tasks, tasks_of
from gateline.settings import WorklogSettings
from gateline.store.worklogs import Worklogs
from gateline.worklog.task import Event, EventKind, Task, TaskOutcome, Tier

_LIMIT = 1000 * WorklogSettings().detect_within
_LOOK = """
import sys
from pathlib import Path
from time import perf_counter
from gateline.session.tasks.detecting import announced_at
from gateline.settings import WorklogSettings
from gateline.worklog.task import Tier
began = perf_counter()
found = announced_at(Path(sys.argv[1]), Tier.STANDARD, WorklogSettings(), Path(sys.argv[2]))
print(1000 * (perf_counter() - began), found.id if found else "")
"""


def fill(root: Path, state: Path, worklogs: int, events: int) -> None:
    """Tasks with so many events each; all but the oldest are done, so that every one is looked at."""
    noon = datetime.now(UTC) - timedelta(hours=1)
    with tasks_of(root, state) as tasks:
        store = Worklogs(tasks.database)
        for number in range(worklogs):
            _fill(tasks, store, number, noon + timedelta(minutes=number), events)


def _fill(tasks: Tasks, store: Worklogs, number: int, at: datetime, events: int) -> None:
    outcome = TaskOutcome.COMPLETED if number else TaskOutcome.ABANDONED
    task = Task(f"task{number}", f"Task {number}", Tier.STANDARD, "made", at, "main", outcome, at)
    store.start(task)
    rows = [Event(at, EventKind.EDITED, {"path": f"package/module{n % 97}.py"}) for n in range(events)]
    tasks.note(task, rows)


def measured(worklogs: int, events: int, rounds: int) -> str:
    """One row of the table."""
    times = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory(prefix="gateline-worklogs-") as folder:
            root, state = Path(folder) / "root", Path(folder) / "state"
            root.mkdir()
            fill(root, state, worklogs, events)
            command = [sys.executable, "-c", _LOOK, str(root), str(state)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            milliseconds, found = done.stdout.split()
            if found != "task0":
                raise SystemExit(f"found {found or 'nothing'} instead of the work that was left")
            times.append(float(milliseconds))
    median, worst = statistics.median(times), max(times)
    return (
        f"| {worklogs} × {events:,} | {median:,.1f} | {worst:,.1f} | {'yes' if worst <= _LIMIT else 'no'} |"
    )


def main(given: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m gateline_dev.worklogs", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="(%(default)s)")
    parser.add_argument("--events", type=int, nargs="+", default=[100, 10_000], help="%(default)s")
    parser.add_argument("--worklogs", type=int, default=10, help="(%(default)s)")
    asked = parser.parse_args(given)
    print(f"Milliseconds, {asked.rounds} rounds.\n")
    print(f"| worklogs × events | median | worst | within {_LIMIT:.0f} ms |")
    print("| ---: | ---: | ---: | --- |")
    for events in asked.events:
        print(measured(asked.worklogs, events, asked.rounds), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
