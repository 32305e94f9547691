"""Loops that an editor follows, with processes that do what the test says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from gateline.refinement.state import Kind, LoopState, Round, Step, Verdict, Way
from gateline.services.child import Child, ChildDiedError, ChildError
from gateline.session.errors import UsageError
from gateline.session.far_work import Doing, Refused
from gateline.session.refinement.requests import Asked, Run
from gateline.session.refinement.service import Phase, RefinementService, Standing

STATE = LoopState("l1", "add up", (Way("a"),), "base", "tree")
ROUND = Round(1, Way("a"), "tree", "tree-1", Verdict("continue", 90.0))
ASKED = Run(Path("/shop"), Asked("add up", ("a",)))


class Process:
    """A child that tells what it is given, until it ends."""

    def __init__(self) -> None:
        self.terminated = 0
        self._events: asyncio.Queue[object] = asyncio.Queue()

    def tell(self, *events: object) -> None:
        for event in events:
            self._events.put_nowait(event)

    def end(self) -> None:
        self.tell(None)

    def die(self) -> None:
        self.tell(ChildDiedError("it was killed"))

    async def ask(self, request: object, timeout: float, on_part: Callable[[Any], None]) -> None:
        while (event := await self._events.get()) is not None:
            if isinstance(event, Exception):
                raise event
            on_part(event)

    async def stop(self) -> None:
        """It is gone already."""

    async def terminate(self, patience: float) -> None:
        self.terminated += 1
        self.tell(Refused("stopped"), None)


class Desk:
    """A service, its processes, and what was heard."""

    def __init__(self, root: Path) -> None:
        self.processes: list[Process] = []
        self.heard: list[Standing] = []
        self.service = RefinementService(root, self._made)

    def _made(self) -> Child:
        self.processes.append(Process())
        return cast(Child, self.processes[-1])

    def begin(self) -> asyncio.Task[Standing]:
        return asyncio.ensure_future(self.service.run(ASKED, self.heard.append))

    async def begun(self, state: LoopState = STATE) -> Process:
        task = self.begin()
        await asyncio.sleep(0)
        self.processes[-1].tell(state)
        await task
        return self.processes[-1]

    async def phase(self, wanted: Phase) -> Standing:
        async with asyncio.timeout(10):
            while not (self.heard and self.heard[-1].phase is wanted):
                await asyncio.sleep(0.01)
        return self.heard[-1]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Desk(tmp_path)


async def test_a_loop_is_told_of_until_it_ends(desk: Desk) -> None:
    process = await desk.begun()
    process.tell(replace(STATE, rounds=(ROUND,)))
    process.tell(replace(STATE, rounds=(ROUND,), ended=Step(Kind.ACCEPT, "good")))
    process.end()
    ended = await desk.phase(Phase.ENDED)
    assert [len(one.state.rounds) for one in desk.heard][:2] == [0, 1]
    assert (ended.step, ended.trouble) == ("", "")


async def test_of_many_steps_at_once_the_newest_is_told(desk: Desk) -> None:
    process = await desk.begun()
    process.tell(*(Doing(f"{number} run") for number in range(1_000)))
    async with asyncio.timeout(10):
        while desk.heard[-1].step != "999 run":
            await asyncio.sleep(0.01)
    assert len(desk.heard) < 5
    await desk.service.stop()


async def test_pausing_ends_the_process_after_the_round(desk: Desk) -> None:
    process = await desk.begun()
    desk.service._running["l1"].pause()
    assert (await desk.phase(Phase.PAUSING)).state.rounds == ()
    assert process.terminated == 0
    process.tell(replace(STATE, rounds=(ROUND,)))
    paused = await desk.phase(Phase.PAUSED)
    assert (process.terminated, len(paused.state.rounds), paused.trouble) == (1, 1, "")


async def test_a_process_that_dies_leaves_a_paused_loop_and_says_why(desk: Desk) -> None:
    (await desk.begun()).die()
    assert (await desk.phase(Phase.PAUSED)).trouble == "it was killed"


async def test_what_cannot_begin_is_told(desk: Desk) -> None:
    task = desk.begin()
    await asyncio.sleep(0)
    desk.processes[-1].tell(Refused("no such agent"))
    desk.processes[-1].end()
    with pytest.raises(UsageError, match="no such agent"):
        await task


async def test_who_waits_for_a_loop_that_only_starts_hears_of_its_end(desk: Desk) -> None:
    task = desk.begin()
    await asyncio.sleep(0)
    await desk.service.stop()
    with pytest.raises((ChildError, UsageError)):
        await task
    assert desk.processes[-1].terminated == 1


async def test_who_asked_may_go_and_the_loop_is_still_known(desk: Desk) -> None:
    task = desk.begin()
    await asyncio.sleep(0)
    task.cancel()
    desk.processes[-1].tell(STATE)
    await desk.phase(Phase.RUNNING)
    await asyncio.sleep(0)
    assert "l1" in desk.service._running
    await desk.service.stop()
    assert desk.processes[-1].terminated == 1


async def test_a_third_loop_is_refused(desk: Desk) -> None:
    await desk.begun()
    await desk.begun(replace(STATE, id="l2"))
    with pytest.raises(UsageError, match="2 loops are under way"):
        await desk.service.run(ASKED, desk.heard.append)
