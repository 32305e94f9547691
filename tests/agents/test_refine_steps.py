"""What `refine_status` tells of a loop that goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gateline.mcp.tool import Desk
from gateline.mcp.tools import refine
from gateline.refinement.state import Failing, LoopState, Round, Verdict, Way

FAILS = Verdict("require-iteration", 59.0, passed=8, failing=(Failing("test_a.py::a", "TypeError"),))
WAY = Way("autodebug", "repair")


class NoEngine:
    """Nothing of a loop that goes on is asked of the session."""

    async def ask(self, method: str, params: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        raise AssertionError(method)


async def test_steps_of_tests_push_out_no_round(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = asyncio.Event()

    async def loop(
        root: Path, asked: Any, environ: None, tell: Callable[[str], None], on_state: Callable[..., None]
    ) -> None:
        tell("preparing a work tree of its own")
        rounds = (Round(1, WAY, "t0", "t1", FAILS, ("a.py",)),)
        on_state(LoopState("loop-1", "goal", (WAY,), "c", "t0", start=FAILS, rounds=rounds))
        for number in range(20):
            tell(f"tests: {number + 1} of 20")
        busy.set()
        await asyncio.Event().wait()

    monkeypatch.setattr("gateline.session.refinement.loop.refine", loop)
    monkeypatch.setattr(refine, "require_consent", lambda root, what: None)
    desk = Desk(NoEngine(), str(tmp_path))
    begun = await refine.refine_start(desk, refine.StartParams(goal="make the tests pass"))
    await busy.wait()
    status = await refine.refine_status(desk, refine.StatusParams(handle=begun.handle, wait=0))
    assert len(status.running) == 2 and status.running[0].startswith(
        "Round 1, autodebug (repair): changed a.py"
    )
    assert status.running[1] == "tests: 20 of 20"
