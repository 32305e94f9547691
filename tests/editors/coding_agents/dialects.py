"""The APIs that agents ask models by: Gemini's, OpenAI's Responses and Anthropic's Messages."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripted_model import Call, Dialect, Move, Read, Say, Told, Write

_USAGE = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}


def gemini(root: Path) -> Dialect:
    """`streamGenerateContent`, with the tools of Gemini CLI."""

    def events(move: Move, number: int) -> list[dict[str, Any]]:
        part: dict[str, Any] = {"text": move.text} if isinstance(move, Say) else {}
        if isinstance(move, Read):
            part = _called("read_file", {"file_path": str(root / move.path)})
        elif isinstance(move, Write):
            part = _called("write_file", {"file_path": str(root / move.path), "content": move.text})
        elif isinstance(move, Call):
            part = _called(move.tool, move.arguments)
        content = {"role": "model", "parts": [part]}
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
        candidate = {"content": content, "finishReason": "STOP", "index": 0}
        return [{"candidates": [candidate], "usageMetadata": usage, "modelVersion": "script"}]

    def told(request: dict[str, Any]) -> list[Told]:
        parts = [
            part for content in request["contents"] if content["role"] != "model" for part in content["parts"]
        ]
        return [one for part in parts if (one := _gemini_part(part)) is not None]

    def is_turn(request: dict[str, Any]) -> bool:
        return bool(request.get("tools"))

    return Dialect(":streamGenerateContent", is_turn, told, events)


def _called(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": arguments}}


def _gemini_part(part: dict[str, Any]) -> Told | None:
    if "functionResponse" in part:
        response = part["functionResponse"]["response"]
        return Told("tool", "\n".join(map(str, response.values())))
    text = str(part.get("text", ""))
    return None if text.startswith("<session_context>") else Told("person", text)


def responses(root: Path) -> Dialect:
    """`/responses`, with the free-form tool `apply_patch` of Codex."""

    def events(move: Move, number: int) -> list[dict[str, Any]]:
        item: dict[str, Any]
        if isinstance(move, Say):
            content = [{"type": "output_text", "text": move.text, "annotations": []}]
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "content": content}
        else:
            assert isinstance(move, Write)
            item = {"type": "custom_tool_call", "id": f"ctc_{number}", "call_id": f"call_{number}"}
            item |= {"name": "apply_patch", "input": patch_of(root, move), "status": "completed"}
        return response_events(item, number)

    return Dialect("/responses", lambda request: bool(request.get("tools")), told_of_responses, events)


def response_events(item: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """A whole response with one item."""
    response = {"id": f"resp_{number}", "object": "response", "output": [], "usage": None}
    return [
        {"type": "response.created", "response": response},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**response, "output": [item], "usage": _USAGE}},
    ]


def told_of_responses(request: dict[str, Any]) -> list[Told]:
    """What stands in `input`, without what the agent says of itself and of the machine."""
    found: list[Told] = []
    for item in request["input"]:
        if item["type"].endswith("_output"):
            found.append(Told("tool", _text(item["output"])))
        elif item["type"] == "message" and item["role"] in ("user", "developer"):
            text = _text(item["content"])
            if not _is_preamble(text):
                found.append(Told("person" if item["role"] == "user" else "agent", text))
    return found


def _is_preamble(text: str) -> bool:
    """Whether a message begins the conversation: rules of the agent, the machine, the date."""
    return text.startswith(("You are ", "<environment_context>", "<permissions", "<skills_instructions>"))


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)


def patch_of(root: Path, move: Write) -> str:
    """The patch of `apply_patch` that gives a file its text."""
    file = root / move.path
    before = file.read_text().splitlines() if file.exists() else []
    if not before:
        rows = [f"*** Add File: {move.path}", *(f"+{line}" for line in move.text.splitlines())]
    else:
        rows = [f"*** Update File: {move.path}"]
        for row in [*difflib.unified_diff(before, move.text.splitlines(), lineterm="")][2:]:
            rows.append("@@" if row.startswith("@@") else row)
    return "\n".join(["*** Begin Patch", *rows, "*** End Patch"])


def messages(root: Path) -> Dialect:
    """`/messages`, with the tools of Claude Code."""

    def events(move: Move, number: int) -> list[dict[str, Any]]:
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta: dict[str, Any] = {"type": "text_delta", "text": getattr(move, "text", "")}
        if not isinstance(move, Say):
            name, given = _claude_call(root, move)
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
        reason = "end_turn" if isinstance(move, Say) else "tool_use"
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "script"}
        message |= {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
        ending = {"stop_reason": reason, "stop_sequence": None}
        return [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": ending, "usage": usage},
            {"type": "message_stop"},
        ]

    def is_turn(request: dict[str, Any]) -> bool:
        return any(tool.get("name") == "Write" for tool in request.get("tools") or ())

    return Dialect("/messages", is_turn, _told_of_messages, events)


def _claude_call(root: Path, move: Read | Write) -> tuple[str, dict[str, Any]]:
    given: dict[str, Any] = {"file_path": str(root / move.path)}
    return ("Read", given) if isinstance(move, Read) else ("Write", {**given, "content": move.text})


def _told_of_messages(request: dict[str, Any]) -> list[Told]:
    found: list[Told] = []
    for message in request["messages"]:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks if message["role"] == "user" else ():
            if block["type"] == "tool_result":
                found.append(Told("tool", _text(block["content"])))
            elif block["type"] == "text":
                found.append(Told("person", block["text"]))
    return [one for one in found if not one.text.startswith("<system-reminder>") or " hook " in one.text]


DIALECTS: dict[str, Callable[[Path], Dialect]] = {"gemini": gemini, "codex": responses, "claude": messages}
