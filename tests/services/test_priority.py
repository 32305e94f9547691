"""A far side that is to be nice is so where processors are shared by session, too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gateline.services import priority
from gateline.services.child import Child, ChildFailedError

pytestmark = [
    pytest.mark.timeout(60),
    pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="this kernel has no autogroups"),
]
FAR = "gateline.services.embedding.far"


async def group_of(nice: int) -> str:
    """What the kernel says of the session of a far side that was started so."""
    child = Child(FAR, nice=nice)
    try:
        with pytest.raises(ChildFailedError):
            await child.ask(object(), 30)
        return Path(f"/proc/{child.pid}/autogroup").read_text(encoding="ascii").split()[-1]
    finally:
        await child.stop()


@pytest.mark.parametrize("nice", [5, 15])
async def test_a_nice_process_is_nice_among_sessions(nice: int) -> None:
    # The tests themselves may have been started to be nice.
    assert await group_of(nice) == str(max(min(os.nice(0) + nice, 19), 0))


async def test_any_other_process_counts_as_all_do() -> None:
    assert await group_of(0) == str(max(os.nice(0), 0))


async def test_a_nice_process_needs_no_program_to_become_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor may start its servers without a PATH: once the analyzers' process did not begin there."""
    monkeypatch.setenv("PATH", "")
    assert await group_of(5) == str(max(min(os.nice(0) + 5, 19), 0))


@pytest.mark.parametrize(("nice", "policy"), [(5, os.SCHED_OTHER), (15, os.SCHED_IDLE)])
def test_the_nicest_run_in_idle_time_only(nice: int, policy: int) -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        priority.lower(child.pid, nice)
        assert os.sched_getscheduler(child.pid) == policy
    finally:
        child.kill()
        child.wait()


def test_a_process_that_ended_already_is_left_alone() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    priority.lower(gone.pid, 5)


def test_who_leads_no_session_leaves_it_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    group = tmp_path / "autogroup"
    monkeypatch.setattr(priority, "_GROUP", group)
    monkeypatch.setattr(os, "nice", lambda more: 5)
    monkeypatch.setattr(os, "getsid", lambda pid: -1)
    priority.share_by_session()
    assert not group.exists()


@pytest.mark.parametrize(
    ("fails", "tries"),
    [
        pytest.param([BlockingIOError, BlockingIOError], 3, id="others said theirs just now"),
        pytest.param([FileNotFoundError], 1, id="the kernel knows no groups"),
        pytest.param([PermissionError], 1, id="it takes it from nobody"),
    ],
)
def test_only_who_came_too_soon_says_it_again(
    monkeypatch: pytest.MonkeyPatch, fails: list[type[OSError]], tries: int
) -> None:
    said: list[str] = []

    class Group:
        def write_text(self, text: str, encoding: str) -> None:
            said.append(text)
            if fails:
                raise fails.pop(0)()

    monkeypatch.setattr(priority, "_GROUP", Group())
    monkeypatch.setattr(priority, "_PAUSE", 0.0)
    if not priority._said(5):
        priority._say_later(5)
    assert said == ["5"] * tries
