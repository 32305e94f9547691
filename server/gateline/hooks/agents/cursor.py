"""Cursor: `hooks.json` in `.cursor`. It counts its rounds at a stop, and takes a message to go on with."""

from __future__ import annotations

import json
from typing import Any

from gateline.hooks.occasion import (
    EDITED,
    EDITING,
    OTHER,
    STOPPING,
    Agent,
    Edit,
    Occasion,
    Output,
    Replace,
    Said,
    Write,
    object_of,
    text_of,
)


def read(kind: str, payload: dict[str, Any]) -> Occasion:
    """The occasion of an event; a stop that is no end of work is none."""
    if kind == STOPPING and payload.get("status", "completed") != "completed":
        kind = OTHER
    loops = payload.get("loop_count")
    count = loops if isinstance(loops, int) else 0
    session = text_of(payload, "conversation_id", "")
    return Occasion(kind, _cwd(payload), session, _edits(payload), count > 0, count)


def answer(event: str, said: Said) -> Output:
    """Each event has keys of its own; what is for the person goes to the log of its hooks."""
    told: dict[str, object] = {}
    if said.kind == EDITING:
        told["permission"] = "deny" if said.reason else "allow"
        if said.reason:
            told |= {"agent_message": said.reason, "user_message": said.reason.partition("\n")[0]}
    elif said.reason:
        told["followup_message" if said.kind == STOPPING else "additional_context"] = said.reason
    return Output(json.dumps(told), f"{said.notice}\n" if said.notice else "")


def _cwd(payload: dict[str, Any]) -> str:
    roots = payload.get("workspace_roots")
    if isinstance(roots, list) and roots and isinstance(roots[0], str):
        return roots[0]
    return text_of(payload, "cwd", ".")


def _edits(payload: dict[str, Any]) -> tuple[Edit, ...]:
    given = object_of(payload, "tool_input") or payload
    path = given.get("file_path") or given.get("path")
    if not isinstance(path, str):
        return ()
    if isinstance(text := given.get("content", given.get("contents")), str):
        return (Write(path, text),)
    rows = given.get("edits") or [given]
    return tuple(
        Replace(path, text_of(row, "old_string", ""), text_of(row, "new_string", ""))
        for row in rows
        if isinstance(row, dict) and "new_string" in row
    )


AGENT = Agent(
    "cursor",
    {"preToolUse": EDITING, "postToolUse": EDITED, "afterFileEdit": EDITED, "stop": STOPPING},
    read,
    answer,
    (".cursor/hooks.json", "~/.cursor/hooks.json"),
)
