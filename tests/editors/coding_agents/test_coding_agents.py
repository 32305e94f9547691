"""Real coding agents with gateline's hooks, driven by a scripted model; `make test-agents` installs them.

The model edits wrongly and says that it is done, is not let go, fixes it, tries to weaken a test, is refused,
adds one instead, and finishes. What the agent told it is compared with the transcript of its last run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from dialects import DIALECTS
from real_agents import AGENTS, RealAgent, require, work
from scripted_model import Move, Read, Say, ScriptedModel, Write
from transcript import assert_golden, transcript

from gateline.resident.connection import connect
from gateline.session.tests.consent import Answer, Consents
from gateline.session.tests.setup import test_command as command_of
from gateline.session.workspace.workspace import open_workspace
from support.engines import end_engines
from support.repositories import Repository

SERVER = Path(__file__).parents[3] / "server"

CART = '"""A cart."""\n\n\ndef total(prices: list[int]) -> int:\n    """The sum."""\n    return sum(prices)\n'
TEST = (
    '"""Tests."""\n\nfrom cart import total\n\n\ndef test_total() -> None:\n    """The sum."""\n'
    "    assert total([1, 2]) == 3\n"
)
RISKY = (
    f'{CART}\n\ndef receipt(name: str) -> int:\n    """Print it."""\n    import os\n\n'
    '    return os.system("lpr " + name)\n'
)
SOUND = (
    f'{CART}\n\ndef receipt(name: str) -> str:\n    """The line on the receipt."""\n    return name.title()\n'
)
WEAKER = TEST.replace("== 3", "is not None")
MORE = (
    TEST.replace("import total", "import receipt, total")
    + '\n\ndef test_receipt() -> None:\n    """Capitals."""\n    assert receipt("oat milk") == "Oat Milk"\n'
)
REQUEST = "Print receipts."
LATE = "did not check this"


def script(agent: RealAgent) -> list[Move]:
    """What the model does, whatever it hears."""
    moves: list[Move] = [
        Read("cart.py"),
        Write("cart.py", RISKY),
        Say("Receipts are printed."),
        Write("cart.py", SOUND),
        Read("test_cart.py"),
        Write("test_cart.py", WEAKER),
        Write("test_cart.py", MORE),
        Say("Receipts have their line, and a test."),
    ]
    return [move for move in moves if agent.reads or not isinstance(move, Read)]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's home, with `gateline` on the PATH of what they start."""
    settings = {"GATELINE_TYPES__ENABLED": "false", "GATELINE_GATES__EVIDENCE": "0"}
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    # Agents hand only some variables on to hooks.
    kept = [*settings, "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_STATE_HOME"]
    rows = [f"export {name}='{os.environ[name]}'" for name in kept]
    program = tmp_path / "home" / "bin" / "gateline"
    program.parent.mkdir(parents=True)
    # What hooks answer is kept: a late one is seen there alone.
    call = f'PYTHONPATH="{SERVER}" "{sys.executable}" -m gateline "$@" | tee -a "{tmp_path}/hooks.log"'
    program.write_text("\n".join(["#!/bin/sh", *rows, call, ""]))
    program.chmod(0o755)
    return tmp_path / "home"


@pytest.fixture
def shop(repository: Repository) -> Iterator[Repository]:
    """A project whose person agreed that its tests run."""
    repository.commit("base", **{"cart.py": CART, "test_cart.py": TEST, "pyproject.toml": "[project]\n"})
    root = repository.folder
    Consents().remember(root, command_of(open_workspace(root, {})), Answer.ALLOWED, datetime.now(UTC))
    yield repository
    end_engines(root)


def warm(root: Path) -> None:
    """Start an engine, and let it judge once: what that takes is tried elsewhere."""
    given = {"level": "early", "texts": [{"path": "cart.py", "text": RISKY}], "patience": 60_000}
    with connect(str(root), seconds=60) as session:
        assert session.ask("gateline/check", given, 60)["evaluation"]


def conversation(agent: RealAgent, home: Path, shop: Repository) -> list[str]:
    """What an agent and its model said to each other; once more where a busy machine made a hook late."""
    root, log = shop.folder, home.parent / "hooks.log"
    for _ in range(3):
        log.unlink(missing_ok=True)
        with ScriptedModel(DIALECTS[agent.name](root), script(agent), lambda: root) as model:
            done = work(agent, home, root, model.url, REQUEST)
        heard = [*transcript(model.transcript, root), f"{agent.name} ended with {done.returncode}"]
        assert model.is_done and not model.asked_beyond, "\n".join([*heard, done.stderr[-3000:]])
        if LATE not in log.read_text():
            return heard
        shop.git("checkout", "--quiet", ".")
    raise AssertionError(f"hooks were late three times: {log.read_text()}")


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", AGENTS)
def test_a_real_agent_hears_the_gate_and_is_stopped_by_it(
    name: str, home: Path, shop: Repository, request: pytest.FixtureRequest
) -> None:
    agent, root = AGENTS[name], shop.folder
    require(agent)
    install = [str(home / "bin" / "gateline"), "hooks", "install", name, "--yes"]
    subprocess.run(install, cwd=root, check=True, capture_output=True)
    shop.commit("hooks")
    warm(root)
    heard = conversation(agent, home, shop)
    assert (root / "cart.py").read_text() == SOUND
    assert (root / "test_cart.py").read_text() == MORE
    assert_golden(name, heard, update=request.config.getoption("--update"))
