"""`refine_start` and `refine_status` over MCP: consent, progress, and a patch that repairs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from mcp_agent import BASE, Agent

from gateline.model.token_count import tokens_of
from gateline.session.tests.consent import Answer, Consents
from support.repositories import Repository

TEST = "from shop import price\n\n\ndef test_price():\n    assert price('tea') == 3\n"
BROKEN = BASE.replace("len(name)", "lne(name)")

pytestmark = pytest.mark.deep


@pytest.fixture
def failing(agent: Agent, shop: Repository) -> Iterator[None]:
    """A test that fails because of a wrong name; and a person who agreed that tests run."""
    shop.git("switch", "--quiet", "--create", "task")
    shop.commit("a test that fails", **{"test_shop.py": TEST, "shop.py": BROKEN})
    Consents().remember(shop.folder, ("python", "-m", "pytest"), Answer.ALLOWED, datetime.now(UTC))
    yield
    Consents().forget(shop.folder)
    shop.git("reset", "--hard", "--quiet")
    shop.git("switch", "--quiet", "main")
    shop.git("branch", "--quiet", "-D", "task")


@pytest.mark.timeout(400)
def test_a_repair_is_found_and_offered_as_a_patch(agent: Agent, shop: Repository, failing: None) -> None:
    before = shop.git("for-each-ref"), shop.git("status", "--porcelain")
    answer = agent.call("refine_start", goal="make the tests pass", rounds=3)
    assert answer["handle"] and answer["running"] and not answer["accepted"]
    handle = answer["handle"]
    while answer["handle"]:
        answer = agent.call("refine_status", handle=handle, wait=60)
    assert (answer["accepted"], answer["end"], answer["changed"]) == (True, "accept", ["shop.py"])
    assert answer["fresh"] and answer["content_hash"]
    assert answer["rounds"][-1]["failing"] == [] and answer["rounds"][-1]["passed"] == 1
    assert tokens_of(str(answer)) <= 2000
    assert (shop.git("for-each-ref"), shop.git("status", "--porcelain")) == before

    subprocess.run(["git", "apply"], cwd=shop.folder, input=answer["patch"], text=True, check=True)
    assert (shop.folder / "shop.py").read_text() == BASE
    moved = agent.call("refine_status", handle=handle)
    assert not moved["fresh"] and moved["next_action"].startswith("files changed since")


WORK = f"""\
import json, pathlib, sys
asked = json.load(sys.stdin)
if asked["input_data"]["step"]["id"] == "1":
    pathlib.Path("shop.py").write_text({BASE!r})
print(json.dumps(dict(agent_id=asked["agent_id"], task_id=asked["task_id"], success=True)))
"""


@pytest.mark.timeout(400)
def test_a_plan_is_followed_by_an_agent_that_a_person_agreed_to(
    agent: Agent, shop: Repository, failing: None, tmp_path: Path
) -> None:
    (tmp_path / "work.py").write_text(WORK)
    command = f"{sys.executable} {tmp_path / 'work.py'}"
    shop.write("plan.md", "1. Have `price` in `shop.py` right again. agent: code\n2. Run all tests.\n")
    given = {"goal": "make the tests pass", "plan": "plan.md", "agents": [f"code={command}"]}
    assert "needs a person's consent here" in agent.refusal("refine_start", **given)
    Consents().allow_agent(shop.folder, command)
    answer = agent.call("refine_start", **given)
    handle = answer["handle"]
    while answer["handle"]:
        answer = agent.call("refine_status", handle=handle, wait=60)
    assert (answer["accepted"], answer["end"], answer["changed"]) == (True, "accept", ["shop.py"])
    assert [(one["step"], one["insufficient"]) for one in answer["rounds"]] == [("1", []), ("2", [])]
