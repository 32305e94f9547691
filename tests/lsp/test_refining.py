"""Refinement loops in the editor: begun, followed, paused, gone on with, cancelled, taken over."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from editor import Editor
from own_server import client as client
from real_project import WITHOUT_DOCS, committed

from support.processes import running

pytestmark = [pytest.mark.deep, pytest.mark.timeout(300)]
_LONG = 120.0

SUMS = "def total(values):\n    return 0\n\n\ndef double(value):\n    return 2 * value\n"
HALF = SUMS.replace("return 0", "return 1")
RIGHT = SUMS.replace("return 0", "return sum(values)")
TESTS = """\
from sums import double, total


def test_total():
    assert total([1, 2]) == 3


def test_double():
    assert double(4) == 8
"""
AGENT = """\
import json, os, pathlib, sys, time
asked = json.load(sys.stdin)
number = asked["context"]["refinement_state"]["round"]
gates = pathlib.Path(__file__).parent
(gates / f"at-{number}").touch()
while not (gates / f"go-{number}").exists():
    time.sleep(0.02)
file = pathlib.Path("sums.py")
text = file.read_text()
file.write_text(text.replace("return 0", "return 1") if number == 1 else
                text.replace("return 1", "return sum(values)").replace("return 0", "return sum(values)"))
answer = dict(agent_id=asked["agent_id"], task_id=asked["task_id"], success=True, reasoning="did it")
print(json.dumps(answer))
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet_git: None) -> Path:
    """A committed project with a failing test, and homes of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("GATELINE_PYTHON", sys.executable)
    root = tmp_path / "shop"
    root.mkdir()
    committed(root, {"sums.py": SUMS, "test_sums.py": TESTS, "gateline.toml": WITHOUT_DOCS})
    return root


class Agent:
    """A command that waits in each round until it is let go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.script = str(folder / "agent.py")
        Path(self.script).write_text(AGENT)
        self.command = f"{sys.executable} {self.script}"

    async def at(self, number: int) -> None:
        """Until it works in a round."""
        async with asyncio.timeout(_LONG):
            while not (self.folder / f"at-{number}").exists():
                await asyncio.sleep(0.05)

    def go(self, number: int) -> None:
        """Let it go on with a round."""
        (self.folder / f"go-{number}").touch()


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path / "agent")


async def opened(editor: Editor, answer: str = "Run tests") -> str:
    """A document that was edited and not saved: `double` has a comment above it."""
    await editor.start_trusted(answer)
    return editor.open("sums.py", SUMS)


async def started(editor: Editor, agent: Agent, **more: object) -> str:
    params = {"goal": "make it add up", "agents": [agent.command], **more}
    begun = await editor.ask("gateline/refine/start", params, _LONG)
    assert begun.phase == "running"
    return str(begun.loop)


async def phase(editor: Editor, wanted: str) -> Any:
    """The newest progress, once a loop stands as wanted."""
    return await editor.until(
        lambda: editor.loops[-1] if editor.loops and editor.loops[-1].phase == wanted else None, _LONG
    )


async def test_a_loop_is_followed_paused_gone_on_with_and_taken_over(editor: Editor, agent: Agent) -> None:
    uri = await opened(editor)
    loop = await started(editor, agent)
    await agent.at(1)
    assert (await editor.ask("gateline/refine/pause", {"loop": loop})).phase == "pausing"
    agent.go(1)
    paused = await phase(editor, "paused")
    assert ([one.number for one in paused.rounds], paused.trouble, paused.failing) == ([1], "", 1)
    assert list(paused.rounds[0].changed) == ["sums.py"]
    changed = await editor.ask("gateline/refine/diff", {"loop": loop, "round": 1})
    assert "+    return 1" in changed.diff
    assert (await editor.ask("gateline/refine/status", {})).loops[0].phase == "paused"

    assert (await editor.ask("gateline/refine/resume", {"loop": loop}, _LONG)).phase == "running"
    await agent.at(2)
    agent.go(2)
    ended = await phase(editor, "ended")
    assert ([one.number for one in ended.rounds], ended.end, ended.accepted) == ([1, 2], "accept", True)
    assert (editor.root / "sums.py").read_text() == SUMS, "nothing was written"

    # Edited meanwhile, and not saved.
    editor.edit(uri, 2, (None, SUMS + "\n\n# mine\n"))
    editor.takes_edits(lambda params: params.edit)
    taken = await editor.ask("gateline/refine/takeOver", {"loop": loop, "dirty": [uri]}, _LONG)
    assert (taken.written.applied, [step.conflict for step in taken.written.steps]) == (True, [""])
    (edit,) = editor.applied
    (change,) = edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (uri, 2)
    assert change.edits[0].new_text == RIGHT + "\n\n# mine\n"


async def test_edits_in_the_same_lines_win_and_are_told(editor: Editor, agent: Agent) -> None:
    uri = await opened(editor)
    loop = await started(editor, agent)
    await agent.at(1)
    agent.go(1)
    await agent.at(2)
    editor.edit(uri, 2, (None, SUMS.replace("return 0", "return max(values)")))
    editor.takes_edits(lambda params: params.edit)
    taken = await editor.ask("gateline/refine/takeOver", {"loop": loop, "round": 1, "dirty": [uri]}, _LONG)
    assert (taken.loop.end, taken.loop.reason) == ("cancelled", "a person took over")
    assert not taken.written.applied
    assert [step.conflict for step in taken.written.steps] == ["it was edited in the same lines meanwhile"]
    assert editor.applied == []


async def test_unsaved_texts_count_and_cancelling_ends_the_agent(editor: Editor, agent: Agent) -> None:
    uri = await opened(editor)
    editor.edit(uri, 2, (None, HALF + "\n\n# not saved\n"))
    loop = await started(editor, agent)
    await agent.at(1)
    assert running(agent.script), "the agent works"
    ended = await editor.ask("gateline/refine/cancel", {"loop": loop}, _LONG)
    assert (ended.phase, ended.end) == ("ended", "cancelled")
    assert not running(agent.script), "the agent is gone"
    whole = await editor.ask("gateline/refine/diff", {"loop": loop})
    assert whole.diff == "", "it began with the text that was not saved"
    assert (editor.root / "sums.py").read_text() == SUMS
    again = str(await editor.refused("gateline/refine/resume", {"loop": "nothing"}))
    assert "no loop begins with 'nothing'" in again


PLAN = """\
1. Have `total` in `sums.py` add its values. agent: adder
2. Run all tests.
"""


async def test_a_plan_is_followed_with_its_agents_by_name(editor: Editor, agent: Agent) -> None:
    (editor.root / "plan.md").write_text(PLAN)
    (editor.root.parent / "plan.md").write_text(PLAN)
    await opened(editor)
    named = {"goal": "make it add up", "agents": [f"adder={agent.command}"], "plan": "plan.md"}
    for more, said in (
        ({"plan": "../plan.md"}, "the plan '../plan.md' is outside of the workspace"),
        ({"plan": "none.md"}, "is not a file of"),
        ({"agents": [f"VAR={agent.command}"]}, "no step of the plan says `agent: VAR` (they say: adder)"),
    ):
        assert said in str(await editor.refused("gateline/refine/start", {**named, **more}))
    for number in range(1, 5):
        agent.go(number)
    await started(editor, agent, **named)
    ended = await phase(editor, "ended")
    assert (ended.end, {one.step for one in ended.rounds}) == ("accept", {"1", "2"})


async def test_without_consent_nothing_begins(editor: Editor, agent: Agent) -> None:
    await opened(editor, "Not now")
    refused = await editor.refused("gateline/refine/start", {"goal": "g", "agents": [agent.command]})
    assert "was not given yet" in str(refused)
    assert not (agent.folder / "at-1").exists()
