"""Codex CLI: `hooks.json` in `.codex`. Its schemas forbid keys that they do not name."""

from __future__ import annotations

import json
from typing import Any

from gateline.hooks.agents import claude
from gateline.hooks.apply_patch import read_patch
from gateline.hooks.occasion import (
    EDITED,
    EDITING,
    PROMPTED,
    STOPPING,
    Agent,
    Edit,
    Occasion,
    Output,
    Said,
    occasion_of,
)

_PATCHES = ("command", "input", "patch")


def read(kind: str, payload: dict[str, Any]) -> Occasion:
    """The occasion of an event."""
    return occasion_of(kind, payload, _edits)


def answer(event: str, said: Said) -> Output:
    """As Claude Code's, but findings stand beside what the tool came to: a block takes its place."""
    if said.kind != EDITED or not said.reason:
        return claude.answer(event, said)
    told: dict[str, object] = {
        "hookSpecificOutput": {"hookEventName": event, "additionalContext": said.reason}
    }
    if said.notice:
        told["systemMessage"] = said.notice
    return Output(json.dumps(told))


def _edits(tool: str, given: dict[str, Any]) -> tuple[Edit, ...]:
    if tool not in ("apply_patch", "Edit", "Write"):
        return ()
    patch = next((given[key] for key in _PATCHES if isinstance(given.get(key), str)), "")
    return read_patch(patch)


AGENT = Agent(
    "codex",
    {"PreToolUse": EDITING, "PostToolUse": EDITED, "Stop": STOPPING, "UserPromptSubmit": PROMPTED},
    read,
    answer,
    (".codex/hooks.json", "~/.codex/hooks.json"),
)
