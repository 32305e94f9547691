"""Gemini CLI: `settings.json` in `.gemini`. Nothing but one JSON object may be written to standard output."""

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
    """After a tool the findings stand beside its result: to deny it would hide what it did."""
    told: dict[str, object] = {}
    if said.reason and said.kind in (EDITED, PROMPTED):
        told["hookSpecificOutput"] = {"hookEventName": event, "additionalContext": said.reason}
    elif said.reason:
        told |= {"decision": "deny", "reason": said.reason}
    if said.notice:
        told["systemMessage"] = said.notice
    return Output(json.dumps(told))


def _edits(tool: str, given: dict[str, Any]) -> tuple[Edit, ...]:
    if tool == "write_file":
        return (Write(text_of(given, "file_path"), text_of(given, "content")),)
    if tool == "replace":
        old, new = text_of(given, "old_string", ""), text_of(given, "new_string", "")
        several = given.get("allow_multiple") is True or given.get("expected_replacements", 1) != 1
        return (Replace(text_of(given, "file_path"), old, new, several),)
    return ()


AGENT = Agent(
    "gemini",
    {"BeforeTool": EDITING, "AfterTool": EDITED, "AfterAgent": STOPPING, "BeforeAgent": PROMPTED},
    read,
    answer,
    (".gemini/settings.json", "~/.gemini/settings.json"),
)
