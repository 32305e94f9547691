"""Child processes: what the person sees of one that fails."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import threading

import pytest
from type_project import far_sides

from gateline.services.child import Child, ChildDiedError, ChildError, Codec
from gateline.services.types.messages import FAR

pytestmark = pytest.mark.timeout(30)


async def test_a_traceback_at_import_is_logged_and_its_last_line_is_the_reason(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    child = Child("gateline.no_such_far_side")
    with (
        caplog.at_level(logging.INFO),
        pytest.raises(ChildDiedError, match=r"1\): .*No module named gateline\.no_"),
    ):
        await child.ask("anything", 20)
    await child.stop()
    assert capfd.readouterr().err == ""
    assert "No module named" in caplog.text


async def test_a_child_that_is_given_up_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gateline.services.child.QUICK_DEATHS", 1)
    child = Child("gateline.no_such_far_side")
    for _ in range(2):
        with pytest.raises(ChildDiedError, match="No module named"):
            await child.ask("anything", 20)


async def test_a_child_that_is_killed_says_so_and_comes_back() -> None:
    child = Child(FAR)
    asked = child.ask(object(), 20)
    with pytest.raises(Exception, match="unknown request object"):
        await asked
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    with pytest.raises(Exception, match=r"signal 9|unknown request"):
        await child.ask(object(), 20)
    with pytest.raises(Exception, match="unknown request"):
        await child.ask(object(), 20)
    await child.stop()


async def test_a_child_that_is_killed_while_it_is_being_asked_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when the settings switch something off that a question is just on its way to."""
    killed, being_asked = threading.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def dumps(message: object) -> bytes:
        loop.call_soon_threadsafe(being_asked.set)
        assert killed.wait(20)
        return pickle.dumps(message)

    def dies_late(group: int, signal_: int) -> None:
        os.kill(group, signal.SIGSTOP)
        loop.call_later(0.1, os.kill, group, signal_)

    child = Child(FAR, codec=Codec(dumps, pickle.loads))
    asked = asyncio.ensure_future(child.ask(object(), 20))
    await being_asked.wait()
    monkeypatch.setattr(os, "killpg", dies_late)
    child.kill()
    killed.set()
    with pytest.raises(ChildDiedError, match="ended before it answered"):
        await asked
    await child.stop()


async def test_one_that_is_only_being_started_is_ended_too() -> None:
    child = Child(FAR)
    warming = asyncio.ensure_future(child.warm())
    while child._spawning is None:
        await asyncio.sleep(0)
    await child.stop()
    await warming
    assert child.pid is None
    assert far_sides() == set()


async def test_one_that_was_dismissed_starts_no_other_for_who_waits() -> None:
    """As when the settings change while several things are asked."""
    child = Child(FAR)
    asked = [asyncio.ensure_future(child.ask(object(), 20)) for _ in range(3)]
    while child.pid is None:
        await asyncio.sleep(0.01)
    await child.dismiss()
    assert all(isinstance(e, ChildError) for e in await asyncio.gather(*asked, return_exceptions=True))
    with pytest.raises(ChildDiedError, match="closed or reopened"):
        await child.ask(object(), 20)
    assert (child.pid, child.starts) == (None, 1)
