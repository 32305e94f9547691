"""What a loop keeps beside its result: lessons within their bound, and troubles that end nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gateline.memory.lesson import Anchor
from gateline.refinement.state import Failing, Kind, LoopState, Verdict, Way
from gateline.session.refinement.lessons import RoundLessons
from gateline.session.refinement.stored import end_loop, find_loop
from gateline.session.tasks.tasks import Tasks
from gateline.store.database import Database, StoreError
from gateline.store.folders import DATABASE, state_of
from gateline.store.loops import Loops
from gateline.store.metrics import MetricsStore
from gateline.worklog.task import Tier
from gateline.worklog.tier import InferredTier
from support.memory_desk import MemoryDesk

FAILS = Verdict("require-iteration", 59.0, passed=8, failing=(Failing("test_a.py::a", "TypeError"),))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[MemoryDesk]:
    made = MemoryDesk(tmp_path)
    yield made
    made.close()


def test_the_rounds_of_a_loop_share_what_the_task_has_left(desk: MemoryDesk) -> None:
    (desk.root / "a.py").write_text("")
    desk.remember("Rounding is to even here, as the invoices have it", anchor=Anchor("a.py"))
    database = Database(desk.file)
    tasks = Tasks(database)
    task = tasks.start("round", InferredTier(Tier.LIGHT, ""))
    lessons = RoundLessons(database, desk.root, lambda: ["a.py"])
    told = [lessons.before_round(FAILS, ["a.py"], ()) for _ in range(3)]
    assert [len(one) for one in told] == [1, 1, 0]
    assert sum(tasks.handed(task).values()) <= 60
    database.close()


def test_a_loop_ends_though_its_metrics_are_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def keep(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(MetricsStore, "keep", keep)
    database = Database(state_of(tmp_path) / DATABASE)
    Loops(database).begin(LoopState("loop-1", "goal", (Way("autodebug"),), "c", "t0", start=FAILS))
    database.close()
    state = end_loop(tmp_path, "loop-1", "cancelled")
    assert state.ended and state.ended.kind is Kind.CANCELLED
    assert state.troubles == ("metrics were not kept: the disk is full",)
    assert find_loop(tmp_path, "loop-1") == state
