"""What each agent sends, as its documentation has it, and what it is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateline.hooks.agents import NAMES, agent
from gateline.hooks.occasion import (
    EDITED,
    EDITING,
    OTHER,
    PROMPTED,
    STOPPING,
    Edit,
    Patch,
    PayloadError,
    Replace,
    Said,
    Write,
)

CLAUDE = {"session_id": "a1", "transcript_path": "/t.jsonl", "cwd": "/shop", "permission_mode": "default"}
CODEX = {**CLAUDE, "turn_id": "7", "model": "m", "transcript_path": None}
GEMINI = {"session_id": "a1", "transcript_path": "/t", "cwd": "/shop", "timestamp": "2026-03-01T09:30:00Z"}
CURSOR = {
    "conversation_id": "a1",
    "generation_id": "g",
    "workspace_roots": ["/shop"],
    "cursor_version": "2.4",
    "user_email": None,
}
COPILOT = {"timestamp": 1_772_357_400_000, "cwd": "/shop", "sessionId": "a1"}
PATCH = """\
*** Begin Patch
*** Update File: cart.py
@@ def total(prices):
     \"\"\"Add up.\"\"\"
-    return sum(prices)
+    return 0
*** Add File: new.py
+x = 1
+y = 2
*** Delete File: old.py
*** Update File: a.py
*** Move to: b.py
@@
-a = 1
+a = 2
*** End Patch
"""
PATCHED: tuple[Edit, ...] = (
    Patch(
        "cart.py",
        (
            (
                ('    """Add up."""', "    return sum(prices)"),
                ('    """Add up."""', "    return 0"),
            ),
        ),
    ),
    Write("new.py", "x = 1\ny = 2\n"),
    Write("old.py", None),
    Patch("a.py", ((("a = 1",), ("a = 2",)),), "b.py"),
)


def tool(name: str, **given: Any) -> dict[str, Any]:
    return {"tool_name": name, "tool_input": given}


EDITS: list[tuple[str, str, dict[str, Any], tuple[Edit, ...]]] = [
    (
        "claude",
        "PreToolUse",
        CLAUDE
        | tool("Edit", file_path="/shop/cart.py", old_string="sum", new_string="max", replace_all=True),
        (Replace("/shop/cart.py", "sum", "max", True),),
    ),
    (
        "claude",
        "PostToolUse",
        CLAUDE | tool("Write", file_path="/shop/new.py", content="x = 1\n") | {"tool_response": {}},
        (Write("/shop/new.py", "x = 1\n"),),
    ),
    (
        "claude",
        "PostToolUse",
        CLAUDE | tool("MultiEdit", file_path="c.py", edits=[{"old_string": "a", "new_string": "b"}]),
        (Replace("c.py", "a", "b"),),
    ),
    ("claude", "PostToolUse", CLAUDE | tool("Bash", command="rm -r tests"), ()),
    ("codex", "PreToolUse", CODEX | tool("apply_patch", command=PATCH), PATCHED),
    ("codex", "PostToolUse", CODEX | tool("Bash", command="ls") | {"tool_response": ""}, ()),
    (
        "gemini",
        "BeforeTool",
        GEMINI | tool("write_file", file_path="new.py", content="x = 1\n"),
        (Write("new.py", "x = 1\n"),),
    ),
    (
        "gemini",
        "AfterTool",
        GEMINI | tool("replace", file_path="c.py", old_string="a", new_string="b", expected_replacements=2),
        (Replace("c.py", "a", "b", True),),
    ),
    (
        "cursor",
        "afterFileEdit",
        CURSOR | {"file_path": "/shop/c.py", "edits": [{"old_string": "a", "new_string": "b"}]},
        (Replace("/shop/c.py", "a", "b"),),
    ),
    (
        "cursor",
        "preToolUse",
        CURSOR | tool("Write", file_path="/shop/c.py", content="x = 1\n") | {"tool_use_id": "1"},
        (Write("/shop/c.py", "x = 1\n"),),
    ),
    (
        "copilot",
        "preToolUse",
        COPILOT | {"toolName": "edit", "toolArgs": '{"path": "c.py", "old_str": "a", "new_str": "b"}'},
        (Replace("c.py", "a", "b"),),
    ),
    (
        "copilot",
        "postToolUse",
        COPILOT | {"toolName": "create", "toolArgs": {"path": "c.py", "file_text": "x = 1\n"}},
        (Write("c.py", "x = 1\n"),),
    ),
]
STOPS: list[tuple[str, str, dict[str, Any], bool | None, int]] = [
    ("claude", "Stop", CLAUDE | {"stop_hook_active": False}, False, 0),
    ("codex", "Stop", CODEX | {"stop_hook_active": True, "last_assistant_message": "done"}, True, 0),
    (
        "gemini",
        "AfterAgent",
        GEMINI | {"prompt": "p", "prompt_response": "r", "stop_hook_active": True},
        True,
        0,
    ),
    ("cursor", "stop", CURSOR | {"status": "completed", "loop_count": 0}, False, 0),
    ("cursor", "stop", CURSOR | {"status": "completed", "loop_count": 3}, True, 3),
    ("copilot", "agentStop", COPILOT | {"stopReason": "end_turn"}, None, 0),
]
FINDINGS = "gateline: 1 new finding"


@pytest.mark.parametrize(("name", "event", "payload", "edits"), EDITS)
def test_edits(name: str, event: str, payload: dict[str, Any], edits: tuple[Edit, ...]) -> None:
    contract = agent(name)
    occasion = contract.read(contract.events[event], payload)
    assert occasion.edits == edits
    assert (occasion.cwd, occasion.session) == ("/shop", "a1")
    assert occasion.kind in (EDITED, EDITING)


@pytest.mark.parametrize(("name", "event", "payload", "looping", "loops"), STOPS)
def test_stops(name: str, event: str, payload: dict[str, Any], looping: bool | None, loops: int) -> None:
    contract = agent(name)
    occasion = contract.read(contract.events[event], payload)
    assert (occasion.kind, occasion.is_looping, occasion.loops) == (STOPPING, looping, loops)


def test_a_stop_of_cursor_that_ends_no_work_is_none() -> None:
    assert agent("cursor").read(STOPPING, CURSOR | {"status": "aborted"}).kind == OTHER


def beside(event: str) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": FINDINGS}}


@pytest.mark.parametrize(
    ("name", "kind", "event", "told"),
    [
        (
            "claude",
            EDITING,
            "PreToolUse",
            {
                "hookSpecificOutput": {
                    "hookEventName": "PreToolUse",
                    "permissionDecision": "deny",
                    "permissionDecisionReason": FINDINGS,
                }
            },
        ),
        ("claude", EDITED, "PostToolUse", {"decision": "block", "reason": FINDINGS}),
        ("claude", STOPPING, "Stop", {"decision": "block", "reason": FINDINGS}),
        ("claude", PROMPTED, "UserPromptSubmit", beside("UserPromptSubmit")),
        ("codex", PROMPTED, "UserPromptSubmit", beside("UserPromptSubmit")),
        ("gemini", PROMPTED, "BeforeAgent", beside("BeforeAgent")),
        (
            "codex",
            EDITED,
            "PostToolUse",
            {"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": FINDINGS}},
        ),
        ("codex", STOPPING, "Stop", {"decision": "block", "reason": FINDINGS}),
        ("gemini", EDITING, "BeforeTool", {"decision": "deny", "reason": FINDINGS}),
        (
            "gemini",
            EDITED,
            "AfterTool",
            {"hookSpecificOutput": {"hookEventName": "AfterTool", "additionalContext": FINDINGS}},
        ),
        ("gemini", STOPPING, "AfterAgent", {"decision": "deny", "reason": FINDINGS}),
        (
            "cursor",
            EDITING,
            "preToolUse",
            {"permission": "deny", "agent_message": FINDINGS, "user_message": FINDINGS},
        ),
        ("cursor", EDITED, "postToolUse", {"additional_context": FINDINGS}),
        ("cursor", STOPPING, "stop", {"followup_message": FINDINGS}),
        (
            "copilot",
            EDITING,
            "preToolUse",
            {"permissionDecision": "deny", "permissionDecisionReason": FINDINGS},
        ),
        ("copilot", STOPPING, "agentStop", {"decision": "block", "reason": FINDINGS}),
    ],
)
def test_findings_are_told_in_the_contract(name: str, kind: str, event: str, told: dict[str, Any]) -> None:
    output = agent(name).answer(event, Said(kind, FINDINGS))
    assert json.loads(output.stdout) == told
    assert output.status == 0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", [EDITING, EDITED, STOPPING])
def test_a_failure_is_told_and_stops_nobody(name: str, kind: str) -> None:
    contract = agent(name)
    event = next(event for event, of in contract.events.items() if of == kind)
    output = contract.answer(event, Said(kind, notice="gateline did not check this: no git"))
    assert "no git" in output.stdout + output.stderr
    assert output.status == 0
    for word in ("deny", "block", "followup_message", '"continue"'):
        assert word not in output.stdout


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", [EDITING, EDITED, STOPPING])
def test_nothing_to_say_is_silence(name: str, kind: str) -> None:
    contract = agent(name)
    event = next(event for event, of in contract.events.items() if of == kind)
    output = contract.answer(event, Said(kind))
    assert output.stderr == ""
    assert json.loads(output.stdout or "{}") in ({}, {"permission": "allow"})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "wrong", [{"cwd": 7}, {"cwd": None, "session_id": []}, {"workspace_roots": 3, "cwd": {}}]
)
def test_a_payload_of_another_form_is_a_mistake_that_is_told(name: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(PayloadError, match="must be a string"):
        agent(name).read(STOPPING, wrong)


@pytest.mark.parametrize(
    ("name", "event", "payload"),
    [
        ("claude", "UserPromptSubmit", CLAUDE),
        ("codex", "UserPromptSubmit", CODEX),
        ("gemini", "BeforeAgent", GEMINI),
    ],
)
def test_a_prompt_is_read(name: str, event: str, payload: dict[str, Any]) -> None:
    contract = agent(name)
    occasion = contract.read(contract.events[event], payload | {"prompt": "mend cart.py"})
    assert (occasion.kind, occasion.prompt, occasion.edits) == (PROMPTED, "mend cart.py", ())
    assert contract.read(STOPPING, payload | {"prompt": "mend cart.py"}).prompt == ""
