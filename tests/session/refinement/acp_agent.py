"""An agent that speaks the Agent Client Protocol by its SDK, and does what its argument says."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import Any
from uuid import uuid4

import acp
from acp.schema import PermissionOption, ToolCallLocation, ToolCallUpdate

DEED, PATH, TEXT = sys.argv[1], sys.argv[2], sys.argv[3]
OWN = "gate_check (gateline MCP Server)"
KIND = {"execute": "execute", "disguised": "execute", "own": "other", "foreign": "other"}.get(DEED, "edit")
TITLE = {"own": OWN, "disguised": OWN, "foreign": "gate_check (shop MCP Server)"}.get(DEED, f"write {PATH}")
OPTIONS = [
    PermissionOption(option_id="yes", name="Allow", kind="allow_once"),
    PermissionOption(option_id="no", name="Reject", kind="reject_once"),
]


class Scripted(acp.Agent):
    """Writes one file by asking for it, after it asked for permission."""

    client: Any = None
    folder = ""

    def on_connect(self, conn: Any) -> None:
        self.client = conn

    async def initialize(self, protocol_version: int, *_: Any, **__: Any) -> acp.InitializeResponse:
        return acp.InitializeResponse(protocol_version=protocol_version)

    async def new_session(self, cwd: str, **_: Any) -> acp.NewSessionResponse:
        self.folder = cwd
        return acp.NewSessionResponse(session_id=uuid4().hex)

    async def prompt(self, prompt: list[Any], session_id: str, **_: Any) -> acp.PromptResponse:
        assert "Goal: make it add up" in prompt[0].text
        if DEED in BAD:
            await BAD[DEED](self, session_id)
        if DEED == "refuse":
            return acp.PromptResponse(stop_reason="refusal")
        path = os.path.join(self.folder, PATH)
        if await self.permitted(path, session_id) or DEED == "insist":
            await self.client.read_text_file(path=os.path.join(self.folder, "sums.py"), session_id=session_id)
            await self.client.write_text_file(path=path, content=TEXT, session_id=session_id)
        await self.say("did it", session_id)
        return acp.PromptResponse(stop_reason="end_turn")

    async def permitted(self, path: str, session_id: str) -> bool:
        call = ToolCallUpdate(
            tool_call_id="1",
            title=TITLE,
            kind=KIND,
            locations=[ToolCallLocation(path=path)],
        )
        answer = await self.client.request_permission(session_id=session_id, tool_call=call, options=OPTIONS)
        return answer.outcome.outcome == "selected" and answer.outcome.option_id == "yes"

    async def say(self, text: str, session_id: str) -> None:
        message = acp.update_agent_message(acp.text_block(text))
        await self.client.session_update(session_id=session_id, update=message)


async def crash(_: Scripted, __: str) -> None:
    sys.stderr.write("no more memory\n")
    os._exit(3)


async def hang(_: Scripted, __: str) -> None:
    time.sleep(600)


async def malformed(_: Scripted, __: str) -> None:
    os.write(1, b"Traceback (most recent call last):\n")
    await asyncio.sleep(600)


async def flood(agent: Scripted, session_id: str) -> None:
    while True:
        await agent.say("x" * 60_000, session_id)


BAD = {"crash": crash, "hang": hang, "malformed": malformed, "flood": flood}

asyncio.run(acp.run_agent(Scripted()))
