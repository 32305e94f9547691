"""Agents that speak the Agent Client Protocol: the SDK's own agent, well-behaved and not."""

from __future__ import annotations

import asyncio
import json
import sys
from functools import partial
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from gateline.cli.refine import refine
from gateline.refinement.contract import AgentInput, AgentOutput
from gateline.resident.connection import connect
from gateline.services.agent_command import AgentError, AgentLimits
from gateline.session.refinement.agents import AcpAgent, Desk, command_of
from support.repositories import Repository

PROGRAM = Path(__file__).with_name("acp_agent.py")
SUMS = "def total(values):\n    return 0\n"
RIGHT = SUMS.replace("return 0", "return sum(values)")
ASKED = AgentInput(agent_id="a", task_id="t", input_data={"goal": "make it add up", "failing": []})


def words(deed: str, path: str = "sums.py", text: str = RIGHT) -> tuple[str, ...]:
    return sys.executable, str(PROGRAM), deed, path, text


def worked(folder: Path, *given: str, seconds: float = 60, output: int = 10_000_000) -> AgentOutput:
    """One turn in a folder."""
    (folder / "sums.py").write_text(SUMS)
    agent = AcpAgent(words(*given), AgentLimits(seconds, output))
    return asyncio.run(agent.work(ASKED, Desk(folder, None, lambda step: None)))  # type: ignore[arg-type]


def test_what_it_writes_is_in_the_work_tree(tmp_path: Path) -> None:
    output = worked(tmp_path, "good")
    assert (output.success, output.reasoning) == (True, "did it")
    assert (tmp_path / "sums.py").read_text() == RIGHT


def test_a_tool_that_executes_is_not_permitted_and_that_is_told(tmp_path: Path) -> None:
    output = worked(tmp_path, "execute")
    assert output.metadata["refused"] == ["'write sums.py' was refused: execute is not permitted in a loop"]
    assert (tmp_path / "sums.py").read_text() == SUMS


def test_a_call_of_the_mcp_server_that_it_was_offered_is_permitted(tmp_path: Path) -> None:
    output = worked(tmp_path, "own")
    assert output.metadata["refused"] == [] and (tmp_path / "sums.py").read_text() == RIGHT


@pytest.mark.parametrize(("deed", "kind"), [("foreign", "other"), ("disguised", "execute")])
def test_no_other_call_is_taken_for_one_of_it(tmp_path: Path, deed: str, kind: str) -> None:
    [told] = worked(tmp_path, deed).metadata["refused"]
    assert told.endswith(f"MCP Server)' was refused: {kind} is not permitted in a loop")
    assert (tmp_path / "sums.py").read_text() == SUMS


@pytest.mark.parametrize("path", ["../out.py", "/etc/out.py", "link/out.py"])
def test_a_write_outside_of_the_work_tree_is_refused(tmp_path: Path, path: str) -> None:
    folder, elsewhere = tmp_path / "tree", tmp_path / "elsewhere"
    for made in (folder, elsewhere):
        made.mkdir()
    (folder / "link").symlink_to(elsewhere)
    output = worked(folder, "good", path)
    assert any("is outside of the work tree" in one for one in output.metadata["refused"])
    with pytest.raises(AgentError, match="outside of its work tree"):
        worked(folder, "insist", path)
    assert not Path("/etc/out.py").exists()
    assert [one.name for one in tmp_path.iterdir() if one.name == "out.py"] + [*elsewhere.iterdir()] == []


def test_git_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="which is not a regular file of its work tree"):
        worked(tmp_path, "good", ".git/config")


def test_a_refusal_is_no_success(tmp_path: Path) -> None:
    output = worked(tmp_path, "refuse")
    assert (output.success, output.reasoning) == (False, "It stopped with refusal.")


@pytest.mark.parametrize(
    ("deed", "said"),
    [
        ("crash", "exited before its turn was finished, with 3: no more memory"),
        ("hang", "did not finish its turn in 8 s, and was stopped"),
        ("malformed", "wrote 'Traceback (most recent call last):', which is not a message of the protocol"),
        ("flood", "wrote more than 2000000 bytes, and was stopped"),
    ],
)
def test_an_agent_that_fails_ends_in_a_clear_state(tmp_path: Path, deed: str, said: str) -> None:
    with pytest.raises(AgentError) as caught:
        worked(tmp_path, deed, seconds=8, output=2_000_000)
    assert said in str(caught.value)


@pytest.mark.usefixtures("without_types")
def test_an_engine_that_it_started_ends_with_its_turn(repository: Repository) -> None:
    repository.commit("base", **{"sums.py": SUMS})
    with connect(str(repository.folder), seconds=60) as engine:
        pid = engine.registration.pid
    worked(repository.folder, "good")
    psutil.wait_procs([psutil.Process(pid)] if psutil.pid_exists(pid) else [], timeout=30)
    assert not psutil.pid_exists(pid)


def test_its_command_is_told_apart_from_one_of_json() -> None:
    found = command_of("acp:my-agent --fast 'a b'")
    assert isinstance(found, AcpAgent)
    assert (found.words, command_of(found.name)) == (("my-agent", "--fast", "a b"), found)


@pytest.mark.deep
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("without_types")
def test_it_works_in_a_loop(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(repository.folder)
    test = "from sums import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
    settings = "[tool.gateline.documentation]\nenabled = false\n"
    repository.commit("base", **{"sums.py": SUMS, "test_sums.py": test, "pyproject.toml": settings})
    command = f"acp:{sys.executable} {PROGRAM} good sums.py '{RIGHT}'"
    run = partial(CliRunner().invoke, refine)
    done = run(["make it add up", "--agent", command, "--python", sys.executable, "--output", "json"])
    found = json.loads(done.stdout)
    assert (done.exit_code, found["accepted"], found["changed"]) == (0, True, ["sums.py"])
    assert found["state"]["rounds"][0]["reasoning"] == "did it"
    assert (repository.folder / "sums.py").read_text() == SUMS
