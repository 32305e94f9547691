"""A whole day of work, hour by hour with a clock that is turned: what is told of it, and what it takes."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gateline.model import Change, Level, Outcome
from gateline.session.tasks.housekeeping import tidy
from gateline.session.tasks.recording.journal import Batch
from gateline.settings import WorklogSettings
from gateline.worklog.task import Event, EventKind, Tier
from support.recorded_work import CODE, Work, evaluation
from support.repositories import Repository

HOURS = 8
BATCHES = 60
"""An hour."""


class Day:
    """Edits, saves, tests, checkpoints and savepoints of one person."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.dice = random.Random(7)
        self.counted: Counter[str] = Counter()
        self.texts = {f"part{number}.py": CODE for number in range(7)}

    def minute(self) -> None:
        work = self.work
        path = self.dice.choice(list(self.texts))
        self.texts[path] = CODE + f"value = {self.dice.randrange(10**6):06}\n" * 40
        kinds = [EventKind.EDITED] * 4 + [EventKind.SAVED]
        events = [self._event(kind, path=self.dice.choice(list(self.texts))) for kind in kinds]
        events += [
            self._event(EventKind.TESTS, passed=20, failed=self.dice.randrange(2), skipped=1, failing=[])
        ]
        level = self.dice.choice([Level.EARLY, Level.MIDDLE])
        verdict = evaluation(level, Outcome.CONTINUE, self.dice.uniform(60, 100))
        work.repository.write(path, self.texts[path])
        work.journal.write(Batch(tuple(events), (verdict,), self.change()))
        if self.dice.random() < 0.1:
            work.journal.keep(verdict, self.texts)
        work.clock.turn(minutes=1)

    def change(self) -> Change:
        return self.work.change(**self.texts)

    def _event(self, kind: EventKind, **detail: object) -> Event:
        self.counted[str(kind)] += 1
        return Event(self.work.clock(), kind, detail)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_day_is_told_and_takes_little(repository: Repository, tmp_path: Path) -> None:
    repository.commit("begin", **{f"part{number}.py": CODE for number in range(7)})
    repository.git("switch", "--quiet", "--create", "tax")
    work = Work(repository, tmp_path / "state")
    day = Day(work)
    tracemalloc.start()
    held = []
    for _ in range(HOURS):
        for _ in range(BATCHES):
            day.minute()
        held.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    work.edits("part0.py", evaluation(Level.FINAL, Outcome.ACCEPT))
    task = work.journal.standing().task
    assert task is not None
    assert (task.description, task.tier) == ("tax", Tier.STANDARD)
    log = work.log(work.journal.ask(lambda tasks, _: tasks.finish(task)))
    assert len(log.events) >= 2_000
    (summary,) = log.summaries
    operations = summary["operations"]
    assert isinstance(operations, dict)
    for kind, times in day.counted.items():
        assert operations[kind] == times + (kind == "edited"), kind
    assert summary["files_modified"] == sorted(day.texts)
    page = work.journal.ask(lambda tasks, _: tasks.page(task)).text
    assert "## Execution complete" in page
    # What one hour leaves in memory, the next does not add to: from the second on, within 300 kB.
    assert max(held[1:]) - held[1] < 300_000, held
    settings = WorklogSettings(size=2)
    work.journal.close()
    done = tidy(repository.folder, settings, datetime(2026, 3, 1, 21, tzinfo=UTC), work.state)
    assert done.size <= 2_000_000
    assert done.tasks.warning == ""
    # A month later nothing of it is left but the newest savepoint.
    done = tidy(repository.folder, settings, datetime(2026, 4, 5, tzinfo=UTC) + timedelta(days=5), work.state)
    assert done.tasks.forget == (task.id,)
