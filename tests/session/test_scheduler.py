"""Scheduling with a clock that is turned by hand: nothing here sleeps."""

from __future__ import annotations

import pytest

from gateline.session.live.scheduler import Scheduler
from support.hand_clock import HandClock


class Log:
    """Jobs that write their name, and take as long as told."""

    def __init__(self, clock: HandClock) -> None:
        self.clock = clock
        self.done: list[str] = []

    def job(self, name: str, seconds: float = 0.0):
        async def run() -> None:
            if seconds:
                await self.clock.sleep(seconds)
            self.done.append(name)

        return run


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def log(clock: HandClock) -> Log:
    return Log(clock)


async def test_newer_work_replaces_what_waits(clock: HandClock, log: Log) -> None:
    scheduler = Scheduler(clock, shortest=0.1)
    for name in ("first", "second", "third"):
        scheduler.submit("a.py", log.job(name))
    await clock.turn(1)
    assert log.done == ["third"]


async def test_documents_do_not_replace_each_other(clock: HandClock, log: Log) -> None:
    scheduler = Scheduler(clock)
    scheduler.submit("a.py", log.job("a"))
    scheduler.submit("b.py", log.job("b"))
    await clock.turn(1)
    assert sorted(log.done) == ["a", "b"]


async def test_a_running_job_ends_and_the_newest_follows(clock: HandClock, log: Log) -> None:
    scheduler = Scheduler(clock, shortest=0.1, longest=0.1)
    scheduler.submit("a.py", log.job("slow", 5))
    await clock.turn(1)
    scheduler.submit("a.py", log.job("stale"))
    scheduler.submit("a.py", log.job("newest"))
    await clock.turn(10)
    assert log.done == ["slow", "newest"]


async def test_typing_puts_work_off_but_not_for_ever(clock: HandClock, log: Log) -> None:
    scheduler = Scheduler(clock, shortest=0.1, longest=0.4)
    for number in range(40):
        scheduler.submit("a.py", log.job(str(number)))
        await clock.turn(0.05)
    assert log.done, "steady typing for two seconds must not starve the analysis"
    assert log.done[0] != "0", "the first keystrokes must be replaced"


async def test_the_pause_follows_the_cost(clock: HandClock, log: Log) -> None:
    scheduler = Scheduler(clock, shortest=0.02, longest=0.4)
    assert scheduler.pause("a.py") == 0.02
    scheduler.submit("a.py", log.job("dear", 0.3))
    await clock.turn(1)
    assert scheduler.pause("a.py") == pytest.approx(0.3)
    for _ in range(30):
        scheduler.submit("a.py", log.job("cheap"))
        await clock.turn(1)
    assert scheduler.pause("a.py") == 0.02


async def test_a_fault_in_one_job_does_not_end_the_next(clock: HandClock, log: Log, caplog) -> None:
    async def broken() -> None:
        raise RuntimeError("no")

    scheduler = Scheduler(clock)
    scheduler.submit("a.py", broken)
    await clock.turn(1)
    scheduler.submit("a.py", log.job("fine"))
    await clock.turn(1)
    assert log.done == ["fine"]
    assert "background work failed" in caplog.text


async def test_a_dropped_key_does_not_run(clock: HandClock, log: Log) -> None:
    scheduler = Scheduler(clock)
    scheduler.submit("a.py", log.job("closed"))
    scheduler.drop("a.py")
    await clock.turn(1)
    assert log.done == []
    assert not scheduler.busy


async def test_each_job_that_waits_or_runs_counts_once(clock: HandClock, log: Log) -> None:
    scheduler = Scheduler(clock, shortest=0.1, longest=0.1)
    assert scheduler.depth == 0
    scheduler.submit("a.py", log.job("slow", 5))
    assert scheduler.depth == 1, "it waits"
    scheduler.submit("b.py", log.job("b"))
    await clock.turn(1)
    assert (scheduler.depth, log.done) == (1, ["b"]), "it runs"
    scheduler.submit("a.py", log.job("next"))
    await clock.turn(1)
    assert scheduler.depth == 2, "one runs, one waits"
    await clock.turn(10)
    assert scheduler.depth == 0
