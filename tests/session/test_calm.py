"""What nobody waits for is done when nobody types or asks."""

from __future__ import annotations

import asyncio
from math import inf

import pytest

from gateline.session.live.idle import Calm
from support.hand_clock import HandClock


async def test_where_nobody_was_ever_disturbing_nothing_waits() -> None:
    await Calm(HandClock()).wait(0.5)


@pytest.mark.parametrize(
    ("most", "ended"),
    [
        pytest.param(inf, 2.5, id="half a second after the last disturbance"),
        pytest.param(1.0, 1.0, id="nobody can put it off for ever"),
    ],
)
async def test_each_disturbance_begins_the_rest_anew(most: float, ended: float) -> None:
    clock = HandClock()
    calm = Calm(clock)
    calm.disturbed()
    waiting = asyncio.ensure_future(calm.wait(0.5, most))
    over: list[float] = []
    waiting.add_done_callback(lambda _: over.append(clock.now))
    for _ in range(5):
        await clock.turn(0.4)
        calm.disturbed()
    await clock.turn(1.0)
    assert over == [pytest.approx(ended)]
