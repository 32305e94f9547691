"""A real agent that speaks ACP, in `gateline refine`; its scripted model cheats, then errs, then is right.

Gemini CLI as npm has it, in the version of the transcript. What it asks of files and of permissions is
answered by gateline, and what its model heard is compared with the transcript of the last run.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dialects import gemini
from real_agents import AGENTS, PROGRAMS, environment, require
from scripted_model import Call, Move, Read, Say, ScriptedModel, Write
from transcript import assert_golden, transcript

from support.repositories import Repository

SERVER = Path(__file__).parents[3] / "server"
AGENT = AGENTS["gemini"]
SUMS = "def total(values):\n    return 0\n"
WRONG = SUMS.replace("return 0", "return values[0]")
RIGHT = SUMS.replace("return 0", "return sum(values)")
TEST = "from sums import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"
WEAKER = TEST.replace("== 3", "is not None")
SCRIPT: list[Move] = [
    Read("sums.py"),
    Call("run_shell_command", {"command": "touch built"}),
    Write("../out.py", "x = 1\n"),
    Write("test_sums.py", WEAKER),
    Say("The test passes."),
    Write("sums.py", WRONG),
    Say("The first value is the sum."),
    Read("sums.py"),
    Write("sums.py", RIGHT),
    Call("mcp_gateline_gate_check", {"level": "early", "wait": 60}),
    Say("It adds up."),
]
HASH = re.compile(r"\b[0-9a-f]{12,}\b")
SCRATCH = re.compile(r"[^\s\"]*/gateline/refine/[^/\s]+/\d+/\d+")


@pytest.fixture
def shop(repository: Repository) -> Repository:
    settings = "[tool.gateline.documentation]\nenabled = false\n"
    repository.commit("base", **{"sums.py": SUMS, "test_sums.py": TEST, "pyproject.toml": settings})
    return repository


def refined(url: str, shop: Repository, folder: Path) -> subprocess.CompletedProcess[str]:
    """A loop with the agent, in a home of its own. Raises TimeoutExpired."""
    home = folder / "home"
    AGENT.settings(home, folder, url)
    own = {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_RUNTIME_DIR": os.environ["XDG_RUNTIME_DIR"],
        "PYTHONPATH": str(SERVER),
        "GATELINE_TYPES__ENABLED": "false",
        "GATELINE_GATES__EVIDENCE": "0",
    }
    words = [str(PROGRAMS / AGENT.program), "--acp", "--model", "gemini-2.5-flash"]
    command = [
        sys.executable,
        "-m",
        "gateline",
        "refine",
        "make it add up",
        "--agent",
        f"acp:{shlex.join(words)}",
    ]
    return subprocess.run(
        [*command, "--python", sys.executable, "--rounds", "5", "--output", "json"],
        cwd=shop.folder,
        env={**environment(AGENT, home, url), **own},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )


def heard_by(model: ScriptedModel, folder: Path, found: dict[str, Any]) -> list[str]:
    """What the model was told and did, and how each round and the loop ended."""
    lines = [HASH.sub("HASH", SCRATCH.sub("SCRATCH", line)) for line in transcript(model.transcript, folder)]
    lines = [line.replace(f"{PROGRAMS}/", "") for line in lines]
    for one in found["state"]["rounds"]:
        verdict = one["verdict"]
        told = [one["way"]["strategy"], *one["changed"], verdict["outcome"], *map(str, verdict["integrity"])]
        lines.append(f"round {one['number']}: {', '.join(told)}: {one['reasoning']}")
    ended = found["state"]["ended"]
    return [*lines, f"{ended['kind']}: {ended['reason']}"]


@pytest.mark.timeout(600)
def test_a_real_agent_is_held_to_the_loop_over_acp(
    shop: Repository, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    require(AGENT)

    def tree() -> Path:
        return next((tmp_path / "cache" / "gateline" / "refine").glob("*/*/*/tree"))

    with ScriptedModel(gemini(Path()), SCRIPT, tree) as model:
        done = refined(model.url, shop, tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout)
    assert model.is_done and not model.asked_beyond, done.stderr[-3000:]
    assert (found["accepted"], found["changed"]) == (True, ["sums.py"])
    assert [one["changed"] for one in found["state"]["rounds"]] == [
        ["test_sums.py"],
        ["sums.py"],
        ["sums.py"],
    ]
    assert found["state"]["rounds"][0]["verdict"]["integrity"], "the weakened test is judged"
    rows = [json.loads(line) for line in Path(found["log"]).read_text().splitlines() if line]
    written = [row["files"] for row in rows if row["kind"] == "output"]
    assert written == [{"test_sums.py": WEAKER}, {"sums.py": WRONG}, {"sums.py": RIGHT}], "all is recorded"
    assert (shop.folder / "sums.py").read_text() == SUMS
    assert not list(tmp_path.rglob("built")) and not list(tmp_path.rglob("out.py"))
    assert_golden(
        "gemini-refine", heard_by(model, tmp_path, found), update=request.config.getoption("--update")
    )
