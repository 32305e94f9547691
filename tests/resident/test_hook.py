"""`gateline hook` as an agent starts it: a process with JSON on its standard input."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gateline.resident.connection import connect
from support.engines import end_engines
from support.repositories import Repository

CHEAT = '"""Runs."""\n\nimport os\n\n\ndef run(a: str) -> int:\n    """Run."""\n    return os.system(a)\n'
TEST = "from cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n"


@pytest.fixture(scope="module", autouse=True)
def running(shop: Repository) -> None:
    """What an engine takes to start is tried elsewhere."""
    shop.commit(**{"test_cart.py": TEST})
    with connect(str(shop.folder), seconds=30) as session:
        session.ask("gateline/check", {"level": "early", "patience": 60_000}, 60)


@pytest.fixture(autouse=True)
def clean(shop: Repository) -> Iterator[None]:
    yield
    shop.git("reset", "--hard", "--quiet")
    shop.git("clean", "-fdq")


def hook(data: object, *arguments: str) -> tuple[int, dict[str, Any], str]:
    text = data if isinstance(data, bytes) else json.dumps(data).encode()
    command = [sys.executable, "-m", "gateline", "hook", *arguments]
    done = subprocess.run(command, input=text, capture_output=True, timeout=60, check=False)
    return done.returncode, json.loads(done.stdout or "{}"), done.stderr.decode()


def tool(root: Path, session: str, path: str, text: str) -> dict[str, Any]:
    given = {"file_path": str(root / path), "content": text}
    return {"session_id": session, "cwd": str(root), "tool_name": "Write", "tool_input": given}


def test_an_edit_is_answered_by_what_it_made_new_and_only_once(shop: Repository) -> None:
    shop.write("run.py", CHEAT)
    event = tool(shop.folder, "once", "run.py", CHEAT)
    status, said, stderr = hook(event, "--agent", "claude", "--event", "PostToolUse")
    assert (status, stderr) == (0, "")
    assert said["decision"] == "block" and "run.py:8: GTL301" in said["reason"]
    assert hook(event, "--agent", "claude", "--event", "PostToolUse") == (0, {}, "")


def test_what_it_says_counts_in_the_task_and_a_bound_that_is_passed_is_said(shop: Repository) -> None:
    shop.git("checkout", "--quiet", "-b", "counted")
    with connect(str(shop.folder), seconds=30) as session:
        session.ask("gateline/task/start", {"description": "Run commands", "tier": "LIGHT"}, 30)
    reasons = []
    for number in range(3):
        text = CHEAT.replace("run(", f"_run_{number}(")
        shop.write("run.py", text)
        event = tool(shop.folder, f"counted {number}", "run.py", text)
        reasons.append(hook(event, "--agent", "claude", "--event", "PostToolUse")[1]["reason"])
    shop.git("checkout", "--quiet", "--force", "main")
    with connect(str(shop.folder), seconds=30) as session:
        task = session.ask("gateline/task/list", {}, 30)["tasks"][0]["id"]
        events = session.ask("gateline/task/show", {"task": task}, 30)["events"]
    handed = [event["detail"] for event in events if event["kind"] == "handed"]
    assert handed == [{"operation": "hook_edited", "tokens": -(-len(reasons[0]) // 4)}] * 3
    assert "this task was handed" not in reasons[0]
    assert reasons[1].endswith("gateline: this task was handed 72 of the 60 tokens that LIGHT allows.")


def test_a_test_that_is_weakened_is_refused_and_nothing_is_written(shop: Repository) -> None:
    weak = TEST.replace("== 3", "is not None")
    event = tool(shop.folder, "weak", "test_cart.py", weak)
    status, said, _ = hook(event, "--agent", "claude", "--event", "PreToolUse")
    told = said["hookSpecificOutput"]
    assert (status, told["permissionDecision"]) == (0, "deny")
    assert "test_cart.py:5: GTL60" in told["permissionDecisionReason"]
    assert (shop.folder / "test_cart.py").read_text() == TEST


def test_without_git_a_stop_says_that_nothing_was_judged(tmp_path: Path, environment: None) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.gateline]\n")
    (tmp_path / "cart.py").write_text(CHEAT)
    stop = {"session_id": "bare", "cwd": str(tmp_path), "stop_hook_active": False}
    try:
        status, said, _ = hook(stop, "--agent", "claude", "--event", "Stop")
    finally:
        end_engines(tmp_path)
    assert status == 0 and "decision" not in said
    assert (
        "is not in a git repository, so new findings cannot be distinguished from old ones; run `git init`"
        in said["systemMessage"]
    )


def test_a_test_that_is_added_is_not(shop: Repository) -> None:
    more = f"{TEST}\n\ndef test_nothing():\n    assert total([]) == 0\n"
    event = tool(shop.folder, "more", "test_cart.py", more)
    assert hook(event, "--agent", "claude", "--event", "PreToolUse") == (0, {}, "")


def test_a_stop_is_judged_by_the_final_gate(shop: Repository) -> None:
    shop.write("test_cart.py", TEST.replace("== 3", "is not None"))
    shop.write("cart.py", "def total(prices: list[int]) -> int:\n    return 3 if prices == [1, 2] else 0\n")
    stop = {"session_id": "stop", "cwd": str(shop.folder), "stop_hook_active": False}
    status, said, _ = hook(stop, "--agent", "claude", "--event", "Stop")
    assert (status, said["decision"]) == (0, "block")
    assert said["reason"].startswith("gateline: the change does not pass the final gate")
    again = {**stop, "stop_hook_active": True}
    assert hook(again, "--agent", "claude", "--event", "Stop", "--blocks", "1")[1].keys() == {"systemMessage"}


@pytest.mark.parametrize(
    ("data", "arguments", "told"),
    [
        (b"{", ("--agent", "claude"), "not valid JSON"),
        (b"\xff\xfe", ("--agent", "claude"), "not valid JSON"),
        (b"[1]", ("--agent", "claude"), "JSON object"),
        (b"[" * 100_000, ("--agent", "claude"), "not valid JSON"),
        (b"{}", ("--agent", "clippy"), "unknown --agent 'clippy'; choose one of claude, codex"),
        (
            b"{}",
            ("--agent", "claude", "--event", "Afterwards"),
            "unknown --event 'Afterwards'; choose one of PreToolUse",
        ),
        (b"{}", ("--agent", "claude", "--event", "Stop", "--blocks", "many"), "many"),
        (b"{}", ("--agent",), "--agent needs a value"),
        (b"{}", ("--allow-tests",), "unknown option"),
    ],
)
def test_a_mistake_in_the_call_is_told_and_never_ends_with_2(
    data: bytes, arguments: tuple[str, ...], told: str
) -> None:
    status, said, stderr = hook(data, *arguments)
    assert (status, said) == (1, {})
    assert told in stderr and "Traceback" not in stderr


def test_an_event_of_the_agent_that_is_none_of_ours_is_silence(shop: Repository) -> None:
    event = {"hook_event_name": "SessionStart", "cwd": str(shop.folder), "session_id": "s"}
    assert hook(event, "--agent", "claude") == (0, {}, "")


def test_a_text_of_50_megabytes(shop: Repository) -> None:
    event = tool(shop.folder, "large", "test_cart.py", "x = 1\n" * 8_500_000)
    status, said, _ = hook(event, "--agent", "claude", "--event", "PreToolUse")
    assert status == 0 and "too much for one check" in said["systemMessage"]


def test_a_prompt_is_told_lessons_about_its_files_once_and_the_use_is_noted(shop: Repository) -> None:
    shop.git("checkout", "--quiet", "-b", "prompted")
    with connect(str(shop.folder), seconds=30) as session:
        about = {"text": "Totals are never rounded twice", "anchor": {"file": "test_cart.py"}}
        name = session.ask("gateline/memory/store", about, 60)["lesson"]["id"]
        session.ask("gateline/memory/store", {"text": "The report worker needs 4 GB"}, 60)
    event = {"session_id": "asks", "cwd": str(shop.folder), "prompt": "why does test_cart.py fail?"}
    asked = ("--agent", "claude", "--event", "UserPromptSubmit")
    status, said, stderr = hook(event, *asked)
    assert (status, stderr) == (0, "")
    told = said["hookSpecificOutput"]
    assert told["hookEventName"] == "UserPromptSubmit"
    assert told["additionalContext"].splitlines() == [
        "gateline: lessons recorded in this workspace:",
        f"- test_cart.py: Totals are never rounded twice [{name}, about test_cart.py]",
    ]
    assert hook(event, *asked) == (0, {}, "")
    shop.git("checkout", "--quiet", "--force", "main")
    with connect(str(shop.folder), seconds=30) as session:
        lessons = session.ask("gateline/memory/list", {}, 60)["lessons"]
    assert {one["id"]: one["uses"] for one in lessons}[name] == 1
