"""Settings that change again and again: one set of tools at a time, and none is left behind."""

from __future__ import annotations

import asyncio
from typing import cast

import pytest

from gateline.session.opening import Opening
from gateline.session.toolset import Toolset
from support.checking_desk import BAD, Desk, report


class Tools:
    """What was made, and when it ended."""

    def __init__(self) -> None:
        self.begun = self.ended = 0
        self.may_end = asyncio.Event()
        self.may_end.set()

    def begin(self) -> None:
        self.begun += 1

    async def stop(self) -> None:
        await self.may_end.wait()
        self.ended += 1


class Maker:
    """Makes tools when it may."""

    def __init__(self) -> None:
        self.made: list[Tools] = []
        self.may_make = asyncio.Semaphore(0)
        self.opening = Opening(self.make)

    async def make(self) -> Toolset:
        await self.may_make.acquire()
        self.made.append(Tools())
        return cast(Toolset, self.made[-1])

    async def first(self) -> Tools:
        self.may_make.release()
        await self.opening.anew()
        return self.made[0]


@pytest.fixture
def maker() -> Maker:
    return Maker()


async def test_what_is_replaced_ends_before_the_new_begins(maker: Maker) -> None:
    first = await maker.first()
    maker.may_make.release()
    assert await maker.opening.anew() is maker.opening.current is cast(Toolset, maker.made[1])
    assert (first.ended, maker.made[1].begun, maker.made[1].ended) == (1, 1, 0)


async def test_asked_for_many_times_at_once_they_are_made_for_the_last_who_asked(maker: Maker) -> None:
    first = await maker.first()
    asked = [asyncio.ensure_future(maker.opening.anew()) for _ in range(5)]
    await asyncio.sleep(0)
    for _ in range(5):
        maker.may_make.release()
    answers = await asyncio.gather(*asked)
    assert [answer is not None for answer in answers] == [False] * 4 + [True]
    await maker.opening.stop()
    assert [tools.ended for tools in maker.made] == [1] * len(maker.made)
    assert first.ended == 1


async def test_an_end_that_is_under_way_when_the_session_stops_is_waited_for(maker: Maker) -> None:
    first = await maker.first()
    first.may_end.clear()
    maker.may_make.release()
    asked = asyncio.ensure_future(maker.opening.anew())
    while len(maker.made) < 2:
        await asyncio.sleep(0)
    asked.cancel()
    stopping = asyncio.ensure_future(maker.opening.stop())
    await asyncio.sleep(0)
    first.may_end.set()
    await stopping
    assert [tools.ended for tools in maker.made] == [1, 1]


async def test_what_was_ended_shows_nothing_any_more(desk: Desk) -> None:
    """Its answers come after those of what is in its place."""
    document = desk.open("a.py", BAD)
    desk.analysis.stop()
    await desk.analysis.take_types(document, report("a.py", BAD).findings, ())
    await desk.analysis.inspect(document)
    assert await desk.analysis.syntax(document)
    assert desk.board.merged("a.py") == ()
