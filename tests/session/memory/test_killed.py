"""Two processes store at once and are killed again and again: nothing is lost, and nothing is there twice."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gateline.memory.wording import digest_of
from support.memory_desk import MemoryDesk

_KILLS = 25
_SECONDS = 60.0
WRITER = """
import sys
from pathlib import Path
from gateline.memory.lesson import Anchor, Note
from gateline.session.memory.embedding import TableMaker
from gateline.session.memory.memory import Memory
from gateline.store.database import Database
import random
folder, seed, done = Path(sys.argv[1]), int(sys.argv[2]), open(sys.argv[3], "a", buffering=1)
memory = Memory(Database(folder / "state" / "memory.sqlite3", 30.0), folder / "project", (TableMaker(),))
chance = random.Random(seed)
while True:
    subject, limit = chance.randrange(60), chance.choice((10, 20, 30))
    text = f"The job waits for {limit} seconds before it gives up"
    stored = memory.remember(Note(text, (), Anchor(symbol=f"job_{subject}")))
    done.write(f"{stored.lesson.id} {stored.lesson.version} {limit} {subject}\\n")
"""
"""Writes down what was stored only after it was."""


def _start(folder: Path, seed: int, done: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(folder), str(seed), str(done)])


def _wait_for_another(file: Path) -> None:
    """Until a process that was just started has stored something: else it would be killed before it did."""
    size = file.stat().st_size if file.exists() else 0
    for _ in range(3_000):
        if file.exists() and file.stat().st_size > size:
            return
        time.sleep(0.02)
    raise AssertionError(f"nothing was stored in {file.name} for a minute")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_nothing_is_lost_and_nothing_doubled(tmp_path: Path) -> None:
    desk = MemoryDesk(tmp_path)
    done = [tmp_path / f"done-{number}" for number in range(2)]
    writers = [_start(tmp_path, number, file) for number, file in enumerate(done)]
    chance, until = random.Random(7), time.monotonic() + _SECONDS
    for kill in range(_KILLS):
        which = chance.randrange(2)
        _wait_for_another(done[which])
        time.sleep(max(0.0, (until - time.monotonic()) / (_KILLS - kill)) * chance.uniform(0.5, 1.0))
        os.kill(writers[which].pid, signal.SIGKILL)
        writers[which].wait()
        writers[which] = _start(tmp_path, 100 + kill, done[which])
    for writer in writers:
        writer.kill()
        writer.wait()

    told = [line.split() for file in done for line in file.read_text().splitlines() if line.count(" ") == 3]
    memory = desk.another()
    rows = memory.lessons.all()
    places = [row.lesson.note.anchor.symbol for row in rows]
    assert len(told) > _KILLS
    assert len(set(places)) == len(places), "one lesson for each subject"
    by_id = {row.lesson.id: row for row in rows}
    for name, version, limit, subject in told:
        versions = memory.lessons.versions(by_id[name].number)
        assert [one.number for one in versions] == list(range(1, len(versions) + 1))
        text = f"The job waits for {limit} seconds before it gives up"
        kept = versions[int(version) - 1].note
        assert (digest_of(kept.text), kept.anchor.symbol) == (digest_of(text), f"job_{subject}")
    assert memory.lessons.without_vector(desk.makers[0].name, 10) == []
    desk.close()
