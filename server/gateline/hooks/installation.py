"""An agent's settings with gateline's hooks in them, and without. Nothing is read or written here."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gateline.hooks.agents import agent

_MARK = re.compile(r"\bgateline(?:\.exe)?[\"']? hook --agent (\w+)\b")
_STOP = 150
"""Seconds that a stop may take: more than the hook's own patience."""
_EDIT = 10


class SettingsError(Exception):
    """An agent's settings cannot be added to; the text says why."""


@dataclass(frozen=True)
class Call:
    """One event, and of which tools; empty: of all, or it has none."""

    event: str
    tools: str
    seconds: int


@dataclass(frozen=True)
class Shape:
    """How an agent writes its hooks down."""

    calls: tuple[Call, ...]
    known: frozenset[str]
    """The names of all its events, as far as they are documented."""
    head: Mapping[str, object]
    """What its settings begin with, where there are none."""


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CLAUDE = _names("""
    PreToolUse PostToolUse PostToolUseFailure PostToolBatch PermissionRequest PermissionDenied Notification
    UserPromptSubmit UserPromptExpansion Stop StopFailure SubagentStart SubagentStop TaskCreated
    TaskCompleted TeammateIdle PreCompact PostCompact SessionStart SessionEnd Setup InstructionsLoaded
    ConfigChange CwdChanged FileChanged WorktreeCreate WorktreeRemove Elicitation ElicitationResult
""")
_CODEX = _names("""
    PreToolUse PostToolUse PermissionRequest PreCompact PostCompact SessionStart SubagentStart SubagentStop
    UserPromptSubmit Stop StopFailure
""")
_GEMINI = _names("""
    BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection SessionStart
    SessionEnd Notification PreCompress
""")
_CURSOR = _names("""
    sessionStart sessionEnd preToolUse postToolUse postToolUseFailure subagentStart subagentStop
    beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile afterFileEdit
    beforeSubmitPrompt preCompact stop afterAgentResponse afterAgentThought beforeTabFileRead afterTabFileEdit
""")
_COPILOT = _names("""
    sessionStart sessionEnd userPromptSubmitted preToolUse postToolUse agentStop subagentStop errorOccurred
""")


def _calls(before: str, after: str, stop: str, tools: str) -> tuple[Call, ...]:
    return (Call(before, tools, _EDIT), Call(after, tools, _EDIT), Call(stop, "", _STOP))


_PROMPT = Call("UserPromptSubmit", "", _EDIT)
_CLAUDE_CALLS = (*_calls("PreToolUse", "PostToolUse", "Stop", "Edit|MultiEdit|Write"), _PROMPT)
_CODEX_CALLS = (*_calls("PreToolUse", "PostToolUse", "Stop", "apply_patch"), _PROMPT)
_GEMINI_CALLS = (
    *_calls("BeforeTool", "AfterTool", "AfterAgent", "write_file|replace"),
    Call("BeforeAgent", "", _EDIT),
)
SHAPES = {
    "claude": Shape(_CLAUDE_CALLS, _CLAUDE, {}),
    "codex": Shape(_CODEX_CALLS, _CODEX, {}),
    "gemini": Shape(_GEMINI_CALLS, _GEMINI, {}),
    "cursor": Shape(_calls("preToolUse", "postToolUse", "stop", "Write"), _CURSOR, {"version": 1}),
    "copilot": Shape(_calls("preToolUse", "postToolUse", "agentStop", ""), _COPILOT, {"version": 1}),
}


def installed(name: str, text: str, command: str) -> str:
    """The settings with gateline's hooks, and all else as it was. Raises SettingsError."""
    shape = SHAPES[name]
    tree = _without(name, _tree(text))
    tree = {**shape.head, **tree}
    hooks = tree.setdefault("hooks", {})
    for call in shape.calls:
        hooks.setdefault(call.event, []).append(_entry(name, shape, call, command))
    return _written(tree, text)


def uninstalled(name: str, text: str) -> str:
    """The settings without them; empty where nothing else was in them. Raises SettingsError."""
    if not events_of(name, text):
        return text
    tree = _without(name, _tree(text))
    if not tree["hooks"]:
        del tree["hooks"]
    return _written(tree, text) if tree.keys() - SHAPES[name].head.keys() else ""


def events_of(name: str, text: str) -> frozenset[str]:
    """The events at which gateline is called. Raises SettingsError."""
    hooks = _tree(text).get("hooks", {})
    return frozenset(event for event, rows in hooks.items() if any(_has_ours(name, row) for row in rows))


def unknown_events(name: str, text: str) -> list[str]:
    """Names in the settings that are no event of the agent, so that nothing ever calls their hooks."""
    known = SHAPES[name].known
    return sorted(event for event in _tree(text).get("hooks", {}) if event not in known)


def wanted_events(name: str) -> frozenset[str]:
    """The events at which gateline is to be called."""
    return frozenset(call.event for call in SHAPES[name].calls)


def _entry(name: str, shape: Shape, call: Call, command: str) -> dict[str, object]:
    line = f"{command} hook --agent {name} --event {call.event}"
    assert call.event in agent(name).events and call.event in shape.known
    if name == "copilot":
        return {"type": "command", "bash": line, "powershell": line, "timeoutSec": call.seconds}
    if name == "cursor":
        tools = {"matcher": call.tools} if call.tools else {"loop_limit": 3}
        return {"command": line, "timeout": call.seconds, **tools}
    given: dict[str, object] = {"type": "command", "command": line, "timeout": call.seconds}
    if name == "gemini":
        given |= {"name": "gateline", "timeout": call.seconds * 1000}
    matched = {"matcher": call.tools} if call.tools else {}
    return {**matched, "hooks": [given]}


def _without(name: str, tree: dict[str, Any]) -> dict[str, Any]:
    """The tree without what calls gateline, and without what is empty then."""
    tree = {**tree, "hooks": {**tree["hooks"]}} if "hooks" in tree else tree
    hooks = tree.get("hooks", {})
    for event, rows in list(hooks.items()):
        if not any(_has_ours(name, row) for row in rows):
            continue
        kept = [_row_without(name, row) for row in rows if not _is_ours(name, row)]
        if kept:
            hooks[event] = kept
        else:
            del hooks[event]
    return tree


def _is_ours(name: str, row: Any) -> bool:
    """Whether nothing of a row is somebody else's."""
    inner = row.get("hooks") if isinstance(row, dict) else None
    whole = isinstance(inner, list) and inner and all(_calls_us(name, one) for one in inner)
    return _calls_us(name, row) or bool(whole)


def _row_without(name: str, row: Any) -> Any:
    if not _has_ours(name, row):
        return row
    return {**row, "hooks": [one for one in row["hooks"] if not _calls_us(name, one)]}


def _has_ours(name: str, row: Any) -> bool:
    inner = row.get("hooks") if isinstance(row, dict) else None
    return any(_calls_us(name, one) for one in (row, *(inner if isinstance(inner, list) else ())))


def _calls_us(name: str, row: Any) -> bool:
    if not isinstance(row, dict):
        return False
    lines = (row.get(key) for key in ("command", "bash", "powershell"))
    return any(isinstance(line, str) and (m := _MARK.search(line)) and m[1] == name for line in lines)


def _tree(text: str) -> dict[str, Any]:
    """The settings as objects. Raises SettingsError for those that cannot be added to without loss."""
    try:
        tree: dict[str, Any] = json.loads(text or "{}", object_pairs_hook=_once)
    except ValueError as error:
        raise SettingsError(f"the file is not plain JSON ({error}), and comments would be lost") from None
    hooks = tree.get("hooks", {}) if isinstance(tree, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(rows, list) for rows in hooks.values()):
        raise SettingsError("`hooks` must be an object with a list for each event")
    return tree


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("duplicate key")
    return dict(pairs)


def _written(tree: dict[str, Any], before: str) -> str:
    """The text, indented as it was."""
    found = re.search(r"^([ \t]+)\S", before, re.MULTILINE)
    made = json.dumps(tree, indent=found[1] if found else "  ", ensure_ascii=False)
    end = "\r\n" if "\r\n" in before else "\n"
    return f"{made}\n".replace("\n", end)
