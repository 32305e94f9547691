"""A repository with its journal, and what a person does in it, by a clock that is turned by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from gateline.model import (
    Change,
    Decision,
    Dimension,
    Document,
    Evaluation,
    FileChange,
    Level,
    Outcome,
    Part,
    Progress,
    Score,
    State,
    Status,
)
from gateline.session.tasks.recording.journal import Batch, Journal, Standing
from gateline.session.tasks.summing import TaskLog
from gateline.session.workspace.git import Git
from gateline.settings import Settings
from gateline.worklog.task import Event, EventKind, Task
from support.repositories import Repository

CODE = '"""Prices."""\n\n\ndef price(net: int) -> int:\n    """With tax."""\n    return net\n'


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now

    def turn(self, **by: float) -> None:
        self.now += timedelta(**by)


class Timer:
    """Says how long each batch took: the one it is told."""

    def __init__(self) -> None:
        self.taken = 0.01
        self.now = 0.0

    def __call__(self) -> float:
        self.now += self.taken
        return self.now


class Work:
    """One repository with its journal, and what a person does in it."""

    def __init__(self, repository: Repository, state: Path) -> None:
        self.repository = repository
        self.state = state
        self.clock, self.timer = Clock(), Timer()
        self.base = {"prices.py": CODE}
        self.journal = self.another()

    def another(self) -> Journal:
        git = Git.find(self.repository.folder)
        return Journal(
            self.repository.folder, Settings(), git, folder=self.state, clock=self.clock, timer=self.timer
        )

    def change(self, **texts: str) -> Change:
        rows = [
            FileChange.between(Document(path, self.base.get(path, "")), Document(path, text))
            for path, text in texts.items()
        ]
        return Change("base", "main", tuple(rows))

    def events(self, *rows: tuple[EventKind, str]) -> tuple[Event, ...]:
        return tuple(Event(self.clock(), kind, {"path": path}) for kind, path in rows)

    def edits(self, path: str = "prices.py", *judged: Evaluation) -> Standing:
        text = CODE + f"\n\nX = {self.clock.now.microsecond}\n" * 30
        return self.journal.write(
            Batch(self.events((EventKind.EDITED, path)), judged, self.change(**{path: text}))
        )

    def log(self, task: Task | None = None) -> TaskLog:
        found = task or self.journal.standing().task
        assert found is not None
        return self.journal.ask(lambda tasks, _: tasks.log(tasks.find(found.id)))

    def kinds(self) -> list[str]:
        return [str(event.kind) for event in self.log().events]


def evaluation(
    level: Level = Level.EARLY,
    outcome: Outcome = Outcome.CONTINUE,
    score: float = 90.0,
    progress: Progress = Progress.INFERRED,
) -> Evaluation:
    part = Part(Dimension.ERRORS, State.MEASURED, value=score, weight=1.0, points=score)
    return Evaluation(
        level, progress, "base", "main", Score(score, score, 1.0, (part,)), Decision(outcome, Status.PASS)
    )
