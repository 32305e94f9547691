"""Two servers and a command line on one store, killed again and again: nothing is lost, nothing is half."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gateline.store.audit import AuditTrail
from gateline.store.database import Database
from gateline.store.folders import DATABASE, state_of
from gateline.store.worklogs import Worklogs
from gateline.worklog.task import EventKind
from support.repositories import Repository

SECONDS = 60
KILLS = 25
CODE = '"""Prices."""\n\nPRICE = 1\n'

# A server's journal, as a session drives it: each pair of events is one batch, said when it is stored.
SERVER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from gateline.model import Change, Document, FileChange, FileStatus
from gateline.session.workspace.git import Git
from gateline.session.tasks.recording.journal import Batch, Journal
from gateline.settings import Settings
from gateline.worklog.task import Event, EventKind
root, state, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
journal = Journal(root, Settings(), Git.find(root), folder=state)
before, now = Document("prices.py", "a = 1"), Document("prices.py", "a = 2")
row = FileChange("prices.py", FileStatus.MODIFIED, before, now)
change = Change("base", "main", (row,))
print("ready", flush=True)
number = 0
while True:
    at = datetime.now(UTC)
    pair = tuple(Event(at, EventKind.EDITED, {"path": f"{name} {number} {half}"}) for half in "ab")
    journal.write(Batch(pair, (), change))
    print(number, flush=True)
    number += 1
"""
# A command line: opens the store, says something, and is gone, as `gateline task update` does.
COMMAND = """
import sys
from pathlib import Path
from gateline.session.tasks.tasks import tasks_of
from gateline.store.audit import AuditTrail
from datetime import UTC, datetime
from gateline.worklog.task import EventKind
root, state, name = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
print("ready", flush=True)
number = 0
while True:
    with tasks_of(root, state) as tasks:
        task = tasks.current("main")
        if task is None:
            continue
        tasks.record(task, *((EventKind.SAVED, {"path": f"{name} {number} {half}"}) for half in "ab"))
        AuditTrail(tasks.database).add({"by": name, "number": number}, datetime.now(UTC))
    print(number, flush=True)
    number += 1
"""


class Writers:
    """Three processes, each begun anew under another name when it was killed."""

    def __init__(self, root: Path, state: Path) -> None:
        self.place = (str(root), str(state))
        self.begun = 0
        self.running: list[tuple[str, str, subprocess.Popen[str]]] = []
        self.said: dict[str, int] = {}
        for script in (SERVER, SERVER, COMMAND):
            self.begin(script)

    def begin(self, script: str) -> None:
        name = f"w{self.begun}"
        self.begun += 1
        command = [sys.executable, "-c", script, *self.place, name]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        self.running.append((name, script, process))

    def kill(self, which: int) -> str:
        """Kill one at once, and give back what it was."""
        name, script, process = self.running.pop(which)
        os.kill(process.pid, signal.SIGKILL)
        assert process.stdout is not None
        # What a pipe holds is read before the end of the process is.
        lines = [line for line in process.stdout.read().split("\n")[:-1] if line.isdigit()]
        process.wait()
        process.stdout.close()
        self.said[name] = len(lines)
        return script


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nothing_is_lost_and_nothing_is_half(repository: Repository, tmp_path: Path) -> None:
    repository.commit("begin", **{"prices.py": CODE})
    state = tmp_path / "state"
    writers = Writers(repository.folder, state)
    dice = random.Random(3)
    for _ in range(KILLS):
        time.sleep(SECONDS / KILLS * dice.uniform(0.5, 1.5))
        writers.begin(writers.kill(dice.randrange(3)))
    for _ in range(3):
        writers.kill(0)
    database = Database(state_of(repository.folder, state) / DATABASE)
    worklogs = Worklogs(database)
    stored: dict[str, list[str]] = {}
    for task in worklogs.tasks():
        for event in worklogs.events(task.id):
            if event.kind in (EventKind.EDITED, EventKind.SAVED):
                name, _, rest = event.text("path").partition(" ")
                stored.setdefault(name, []).append(rest)
    for name, said in writers.said.items():
        found = stored.get(name, [])
        assert found == [f"{number} {half}" for number in range(len(found) // 2) for half in "ab"], name
        # One more may have been stored than was told.
        assert said <= len(found) // 2 <= said + 1, name
    assert sum(map(len, stored.values())) > 200
    assert database.rows("PRAGMA integrity_check") == [("ok",)]
    assert AuditTrail(database).broken_at() is None
    database.close()
