"""What nobody waits for is done when nobody types or asks."""

from __future__ import annotations

import asyncio

import pytest

from checking_desk import settle
from gateline.session.calm import Calm


class Clock:
    """Is moved on by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleeping: list[tuple[float, asyncio.Event]] = []

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        event = asyncio.Event()
        self._sleeping.append((self.now + seconds, event))
        await event.wait()

    async def pass_by(self, seconds: float) -> None:
        self.now += seconds
        for end, event in self._sleeping:
            if end <= self.now:
                event.set()
        await settle()


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def test_where_nobody_was_ever_disturbing_nothing_waits(clock: Clock) -> None:
    await Calm(clock).wait(0.5)


async def test_each_disturbance_begins_the_rest_anew(clock: Clock) -> None:
    calm = Calm(clock)
    calm.disturbed()
    waiting = asyncio.ensure_future(calm.wait(0.5))
    await settle()
    for _ in range(5):
        await clock.pass_by(0.4)
        calm.disturbed()
    assert not waiting.done()
    await clock.pass_by(0.4)
    assert not waiting.done()
    await clock.pass_by(0.2)
    assert waiting.done()


async def test_nobody_can_put_it_off_for_ever(clock: Clock) -> None:
    calm = Calm(clock)
    calm.disturbed()
    waiting = asyncio.ensure_future(calm.wait(0.5, 2.0))
    await settle()
    for _ in range(4):
        await clock.pass_by(0.45)
        calm.disturbed()
    assert not waiting.done()
    await clock.pass_by(0.3)
    assert waiting.done()
