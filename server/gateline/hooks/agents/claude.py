"""Claude Code: `settings.json` in `.claude`. Exit status 2 would block: gateline answers in JSON, with 0."""

from __future__ import annotations

import json
from typing import Any

from gateline.hooks.occasion import (
    EDITED,
    EDITING,
    PROMPTED,
    STOPPING,
    Agent,
    Edit,
    Occasion,
    Output,
    Replace,
    Said,
    Write,
    occasion_of,
    text_of,
)


def read(kind: str, payload: dict[str, Any]) -> Occasion:
    """The occasion of an event."""
    return occasion_of(kind, payload, _edits)


def answer(event: str, said: Said) -> Output:
    """What it makes of a JSON object: a decision for the model, a message for the person."""
    told: dict[str, object] = {}
    if said.reason and said.kind == EDITING:
        told["hookSpecificOutput"] = {
            "hookEventName": event,
            "permissionDecision": "deny",
            "permissionDecisionReason": said.reason,
        }
    elif said.reason and said.kind == PROMPTED:
        told["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": said.reason}
    elif said.reason:
        told |= {"decision": "block", "reason": said.reason}
    if said.notice:
        told["systemMessage"] = said.notice
    return Output(json.dumps(told)) if told else Output()


def _edits(tool: str, given: dict[str, Any]) -> tuple[Edit, ...]:
    if tool == "Write":
        return (Write(text_of(given, "file_path"), text_of(given, "content")),)
    if tool == "Edit":
        return (_replace(text_of(given, "file_path"), given),)
    if tool == "MultiEdit":
        path, rows = text_of(given, "file_path"), given.get("edits")
        return tuple(_replace(path, row) for row in rows or () if isinstance(row, dict))
    return ()


def _replace(path: str, given: dict[str, Any]) -> Replace:
    everywhere = given.get("replace_all") is True
    return Replace(path, text_of(given, "old_string", ""), text_of(given, "new_string", ""), everywhere)


AGENT = Agent(
    "claude",
    {"PreToolUse": EDITING, "PostToolUse": EDITED, "Stop": STOPPING, "UserPromptSubmit": PROMPTED},
    read,
    answer,
    (".claude/settings.json", "~/.claude/settings.json"),
)
