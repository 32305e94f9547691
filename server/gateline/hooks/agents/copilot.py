"""GitHub Copilot: files in `.github/hooks`. Its payloads do not name their event."""

from __future__ import annotations

import json
from typing import Any

from gateline.hooks.apply_patch import read_patch
from gateline.hooks.occasion import (
    EDITED,
    EDITING,
    STOPPING,
    Agent,
    Edit,
    Occasion,
    Output,
    PayloadError,
    Replace,
    Said,
    Write,
    text_of,
)


def read(kind: str, payload: dict[str, Any]) -> Occasion:
    """The occasion of an event."""
    session = payload.get("sessionId", payload.get("session_id"))
    return Occasion(
        kind,
        text_of(payload, "cwd", "."),
        session if isinstance(session, str) else "",
        _edits(text_of(payload, "toolName", ""), _arguments(payload.get("toolArgs"))),
    )


def answer(event: str, said: Said) -> Output:
    """Before a tool a decision, at a stop one of another form, after a tool some context."""
    told: dict[str, object] = {}
    if said.reason and said.kind == EDITING:
        told = {"permissionDecision": "deny", "permissionDecisionReason": said.reason}
    elif said.reason and said.kind == STOPPING:
        told = {"decision": "block", "reason": said.reason}
    elif said.reason:
        told = {"additionalContext": said.reason}
    return Output(json.dumps(told) if told else "", f"{said.notice}\n" if said.notice else "")


def _arguments(given: object) -> dict[str, Any]:
    """The tool's arguments: an object, or one written as a text."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return {"patch": given}
    if given is not None and not isinstance(given, dict):
        raise PayloadError(f"toolArgs must be an object, not {type(given).__name__}")
    return given or {}


def _edits(tool: str, given: dict[str, Any]) -> tuple[Edit, ...]:
    path = given.get("path", given.get("filePath"))
    if tool == "apply_patch":
        patch = given.get("patch", given.get("input", ""))
        return read_patch(patch) if isinstance(patch, str) else ()
    if not isinstance(path, str):
        return ()
    if tool in ("create", "write"):
        return (Write(path, text_of(given, "file_text", text_of(given, "content", ""))),)
    if tool in ("edit", "str_replace", "str_replace_editor"):
        return (Replace(path, text_of(given, "old_str", ""), text_of(given, "new_str", "")),)
    return ()


AGENT = Agent(
    "copilot",
    {"preToolUse": EDITING, "postToolUse": EDITED, "agentStop": STOPPING},
    read,
    answer,
    (".github/hooks/gateline.json", "~/.copilot/hooks/gateline.json"),
)
