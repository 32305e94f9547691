"""What `refine_start` begins, and what `refine_status` tells of a loop that goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from gateline.mcp.engine import EngineError
from gateline.mcp.tool import Desk
from gateline.mcp.tools import refine
from gateline.refinement.state import Failing, LoopState, Round, Verdict, Way
from gateline.session.tests.consent import Answer, Consents

FAILS = Verdict("require-iteration", 59.0, passed=8, failing=(Failing("test_a.py::a", "TypeError"),))
WAY = Way("autodebug", "repair")


class NoEngine:
    """Nothing of a loop that goes on is asked of the session."""

    async def ask(self, method: str, params: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        raise AssertionError(method)


PLAN = "1. Have `shop.py` right. agent: code\n2. Run the tests.\n"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a plan, whose person agreed that tests run, and to one command."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "shop"
    root.mkdir()
    for folder in (root, tmp_path):
        (folder / "plan.md").write_text(PLAN)
    Consents().remember(root, ("pytest",), Answer.ALLOWED, datetime.now(UTC))
    Consents().allow_agent(root, "my-agent --fast")
    return root


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"agents": ("sh -c id",)}, "ask the user to run `gateline trust --agent 'sh -c id'` in a terminal"),
        (
            {"agents": ("autodebug", "acp:other")},
            "the agent 'acp:other' is a command that needs a person's consent",
        ),
        ({"agents": ("code=sh -c id",), "plan": "plan.md"}, "the agent 'sh -c id' is a command"),
        ({"agents": ("code=my-agent --fast",)}, "names are for the steps of a plan"),
        ({"agents": ("V=my-agent --fast",), "plan": "plan.md"}, "no step of the plan says `agent: V`"),
        ({"agents": ("'unclosed",)}, "is not a valid command"),
        ({"plan": "../plan.md"}, "the plan '../plan.md' is outside of the workspace"),
        ({"plan": "none.md"}, "is not a file of"),
    ],
)
async def test_what_no_person_agreed_to_does_not_begin(shop: Path, given: dict[str, Any], said: str) -> None:
    desk = Desk(NoEngine(), str(shop))
    with pytest.raises(EngineError) as raised:
        await refine.refine_start(desk, refine.StartParams(goal="g", **given))
    assert said in str(raised.value)


async def test_a_plan_begins_with_the_agents_that_a_person_agreed_to(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    async def loop(root: Path, asked: Any, *_: object) -> None:
        begun.set_result(asked)
        await asyncio.Event().wait()

    monkeypatch.setattr("gateline.session.refinement.loop.refine", loop)
    given = refine.StartParams(goal="g", plan="plan.md", agents=("code=my-agent --fast", "review"))
    answer = await refine.refine_start(Desk(NoEngine(), str(shop)), given)
    asked = await begun
    assert answer.handle
    assert (asked.plan, asked.agents) == (shop / "plan.md", ("code=my-agent --fast", "review"))


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
