"""Work that was left is found in its time, or not told at all, and nobody waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from time import perf_counter

import pytest

from gateline.model import Change, Document, FileChange, FileStatus
from gateline.session.check import readable_workspace
from gateline.session.live.scheduler import Scheduler
from gateline.session.tasks.detecting import announced_at
from gateline.session.tasks.recording.looking_back import Listeners
from gateline.session.tasks.recording.recorder import Recorder
from gateline.session.tasks.tasks import Tasks, tasks_of
from gateline.settings import WorklogSettings
from gateline.worklog.task import Task, TaskOutcome, Tier
from gateline.worklog.tier import InferredTier
from gateline_dev.worklogs import fill
from support.repositories import Repository

SETTINGS = WorklogSettings()


@pytest.mark.timeout(120)
def test_among_ten_long_worklogs_the_right_one_is_found_in_time(tmp_path: Path) -> None:
    fill(tmp_path, tmp_path / "state", 10, 10_000)
    assert min(seconds_to_look(tmp_path) for _ in range(5)) < SETTINGS.detect_within
    patient = SETTINGS.model_copy(update={"detect_within": 60.0})
    found = announced_at(tmp_path, Tier.STANDARD, patient, tmp_path / "state")
    assert found is not None
    assert (found.id, found.outcome) == ("task0", TaskOutcome.ABANDONED)
    assert announced_at(tmp_path, Tier.STANDARD, patient, tmp_path / "state") is None, "never told twice"


def seconds_to_look(root: Path) -> float:
    """What one look takes; where others use the machine, too, a single one says little."""
    with tasks_of(root, root / "state") as tasks:
        began = perf_counter()
        assert tasks.to_announce(Tier.STANDARD, SETTINGS.detect_newest) is not None
        return perf_counter() - began


class Shop:
    """A change of two files on a branch, and the work of another branch that was left."""

    def __init__(self, repository: Repository, state: Path, within: float = 20.0) -> None:
        """`within`: seconds that a look may take."""
        settings = f"[worklog]\ndetect-within = {within}\n"
        repository.commit("begin", **{"cart.py": "total = 1\n", "gateline.toml": settings})
        self.root, self.state = repository.folder, state
        with tasks_of(self.root, state) as tasks:
            self.left = tasks.start("Rounding", InferredTier(Tier.STANDARD, "two files"), "rounding")
        self.workspace = readable_workspace(self.root, {})
        self.told: list[Task] = []
        self.warned: list[str] = []

    def change(self) -> Change:
        rows = (FileChange(p, FileStatus.ADDED, None, Document(p, "x = 1\n")) for p in ("a.py", "b.py"))
        return Change("base", "main", tuple(rows))

    def texts(self) -> Mapping[str, str]:
        return {}


@pytest.fixture
async def recorder(shop: Shop) -> AsyncIterator[Recorder]:
    made = Recorder(Scheduler(), shop, Listeners(shop.told.append, shop.warned.append), folder=shop.state)
    yield made
    await made.stop()


@pytest.fixture
def shop(repository: Repository, tmp_path: Path) -> Shop:
    return Shop(repository, tmp_path / "state")


async def test_it_is_told_when_a_workspace_opens(recorder: Recorder, shop: Shop) -> None:
    await recorder.opened(shop.workspace)
    assert [task.id for task in shop.told] == [shop.left.id]
    await recorder.opened(shop.workspace)
    assert len(shop.told) == 1


async def test_what_was_left_on_this_branch_is_answered_too(shop: Shop) -> None:
    with tasks_of(shop.root, shop.state) as tasks:
        here = tasks.start("Prices", InferredTier(Tier.STANDARD, "two files"), "main")
    recorder = Recorder(Scheduler(), shop, Listeners(shop.told.append), folder=shop.state)
    await recorder.opened(shop.workspace)
    assert [task.id for task in shop.told] == [here.id]
    recorder.edited("a.py")
    for _ in range(2):
        found = await recorder.left()
        assert found is not None
        assert found.id == here.id, "it goes on, and is work of before all the same"
    await recorder.stop()


async def test_what_this_session_began_is_not_left(recorder: Recorder, shop: Shop) -> None:
    await recorder.opened(shop.workspace)
    own = await recorder.ask(
        lambda tasks, branch: tasks.start("Own", InferredTier(Tier.STANDARD, "two files"), branch)
    )
    found = await recorder.left()
    assert found is not None
    assert (found.id, found.id != own.id) == (shop.left.id, True)


@pytest.mark.parametrize(("active", "is_warned"), [(38, False), (39, True)])
async def test_that_many_tasks_are_in_progress_is_told_when_a_workspace_opens(
    recorder: Recorder, shop: Shop, active: int, is_warned: bool
) -> None:
    with tasks_of(shop.root, shop.state) as tasks:
        for number in range(active):
            tasks.start(f"Task {number}", InferredTier(Tier.LIGHT, "one file"), "main")
    await recorder.opened(shop.workspace)
    assert [text.startswith("40 tasks are in progress") for text in shop.warned] == [True] * is_warned


async def test_what_takes_longer_is_not_told_and_holds_nobody_up(
    repository: Repository,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    shop = Shop(repository, tmp_path / "state", within=0.2)
    recorder = Recorder(Scheduler(), shop, Listeners(shop.told.append, shop.warned.append), folder=shop.state)
    free, real = threading.Event(), Tasks.to_announce

    def slow(tasks: Tasks, tier: Tier, newest: int, current: str = "", *, again: bool = False) -> Task | None:
        free.wait(20)
        return real(tasks, tier, newest, current, again=again)

    monkeypatch.setattr(Tasks, "to_announce", slow)
    try:
        async with asyncio.timeout(10):
            await recorder.opened(shop.workspace)
    finally:
        free.set()
    assert shop.told == []
    assert "looking for unfinished work took over 0.2 s" in caplog.text
    monkeypatch.undo()
    assert await recorder.left() is not None, "who asks is answered"
    await recorder.stop()


async def test_a_store_that_cannot_be_read_is_silent(
    recorder: Recorder, shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    (file,) = shop.state.rglob("worklog.sqlite3")
    file.unlink()
    file.mkdir()
    await recorder.opened(shop.workspace)
    assert shop.told == []
    assert "work that was left cannot be looked for" in caplog.text
