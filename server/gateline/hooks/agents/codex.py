"""Codex CLI: `hooks.json` in `.codex`. Its schemas forbid keys that they do not name."""

from __future__ import annotations

from typing import Any

from gateline.hooks.agents.claude import answer
from gateline.hooks.apply_patch import read_patch
from gateline.hooks.occasion import (
    EDITED,
    EDITING,
    STOPPING,
    Agent,
    Edit,
    Occasion,
    occasion_of,
)

_PATCHES = ("command", "input", "patch")


def read(kind: str, payload: dict[str, Any]) -> Occasion:
    """The occasion of an event."""
    return occasion_of(kind, payload, _edits)


def _edits(tool: str, given: dict[str, Any]) -> tuple[Edit, ...]:
    if tool not in ("apply_patch", "Edit", "Write"):
        return ()
    patch = next((given[key] for key in _PATCHES if isinstance(given.get(key), str)), "")
    return read_patch(patch)


AGENT = Agent(
    "codex",
    {"PreToolUse": EDITING, "PostToolUse": EDITED, "Stop": STOPPING},
    read,
    answer,
    (".codex/hooks.json", "~/.codex/hooks.json"),
)
