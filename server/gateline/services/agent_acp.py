"""Runs an agent that speaks the Agent Client Protocol; gateline is its client.

The protocol's messages are the library's business. Here the process is held within limits, what it asks of
files goes through who started it, and permissions are answered by a policy instead of a person.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, cast

from gateline.services.agent_command import AgentError, AgentLimits, started
from gateline.services.process_group import end_group

ALLOWED = frozenset({"read", "edit", "delete", "move", "search", "think"})
"""Kinds of tool calls that are permitted; what executes, fetches, or is of no known kind is refused."""
OWN = "gateline"
"""The name by which an agent is offered gateline's MCP server."""
_OWN_TOOL = re.compile(rf"mcp__{OWN}__\w+|\w+ \({OWN} MCP Server\)")
"""How Claude Code and Gemini CLI title a call of it, whose kind is `other`."""
T = TypeVar("T")
_CHUNK = 1 << 16
_TOLD = 4000
"""Characters of what an agent said that are kept."""


@dataclass(frozen=True, slots=True)
class Files:
    """How an agent's requests for files are answered. Both raise AgentError for what it may not have."""

    read: Callable[[str], str]
    write: Callable[[str, str], None]


@dataclass(slots=True)
class Turn:
    """What an agent did in one turn."""

    said: str = ""
    stop: str = ""
    """Why it stopped, as the protocol names it: `end_turn`, `refusal`, `max_tokens`, …"""
    refused: list[str] = field(default_factory=list)
    """What it asked for and did not get, a sentence each."""


async def converse(
    command: Sequence[str], prompt: str, folder: Path, limits: AgentLimits, files: Files
) -> Turn:
    """One session of one turn, in a process group that is gone when this returns. Raises AgentError."""
    try:
        import acp  # noqa: F401
    except ImportError:
        raise AgentError("agents that speak ACP need `pip install gateline[agents]`") from None
    process = await started(command, folder, {})
    try:
        async with asyncio.timeout(limits.seconds):
            return await _Session(process, command[0], folder, limits, files).turn(prompt)
    except TimeoutError:
        raise AgentError(
            f"{command[0]} did not finish its turn in {limits.seconds:g} s, and was stopped"
        ) from None
    finally:
        await end_group(process)


class _Session:
    """One process that is spoken to."""

    def __init__(self, process: Process, name: str, folder: Path, limits: AgentLimits, files: Files) -> None:
        self._process = process
        self._name = name
        self._folder = folder
        self._limits = limits
        self._client = _Client(folder, files)

    async def turn(self, prompt: str) -> Turn:
        """Say what is to be done, and answer what is asked until the agent ends its turn."""
        from acp.client import ClientSideConnection

        assert self._process.stdin is not None
        lines = asyncio.StreamReader(limit=self._limits.output)
        reading = asyncio.ensure_future(self._fed(lines))
        draining = asyncio.ensure_future(self._drained())
        connection = ClientSideConnection(cast(Any, self._client), self._process.stdin, lines)
        talking = asyncio.ensure_future(self._talk(connection, prompt))
        try:
            await asyncio.wait({reading, talking}, return_when=asyncio.FIRST_COMPLETED)
            if not talking.done():
                reading.result()  # what was wrong with its output, if anything was
            self._client.turn.stop = await talking
        except ConnectionError:
            raise AgentError(
                f"{self._name} exited before its turn was finished{await self._last(draining)}"
            ) from None
        finally:
            for task in (talking, reading, draining):
                task.cancel()
            await asyncio.gather(talking, reading, draining, return_exceptions=True)
            with contextlib.suppress(Exception):
                await connection.close()
        return self._client.turn

    async def _talk(self, connection: Any, prompt: str) -> str:
        """Why the agent stopped. Raises AgentError."""
        import acp
        from acp.schema import ClientCapabilities, FileSystemCapabilities, Implementation

        can = ClientCapabilities(fs=FileSystemCapabilities(read_text_file=True, write_text_file=True))
        try:
            await connection.initialize(
                acp.PROTOCOL_VERSION, can, Implementation(name="gateline", version=_version())
            )
            session = await connection.new_session(cwd=str(self._folder), mcp_servers=_own_server())
            answer = await connection.prompt(prompt=[acp.text_block(prompt)], session_id=session.session_id)
        except acp.RequestError as error:
            told = "; ".join([str(error), *self._client.turn.refused])
            raise AgentError(f"{self._name} answered with an error: {told}") from None
        except ValueError as error:
            raise AgentError(f"{self._name} broke the protocol: {str(error).partition(chr(10))[0]}") from None
        return str(answer.stop_reason)

    async def _fed(self, lines: asyncio.StreamReader) -> None:
        """Hand on what the agent writes, line by line. Raises AgentError for what is none of the protocol."""
        assert self._process.stdout is not None
        size, rest = 0, b""
        while part := await self._process.stdout.read(_CHUNK):
            size += len(part)
            if size > self._limits.output:
                raise AgentError(f"{self._name} wrote more than {self._limits.output} bytes, and was stopped")
            *whole, rest = (rest + part).split(b"\n")
            for line in whole:
                self._require_json(line)
                lines.feed_data(line + b"\n")
        lines.feed_eof()  # which ends whoever waits for an answer

    def _require_json(self, line: bytes) -> None:
        if not line.strip():
            return
        with contextlib.suppress(ValueError):
            if isinstance(json.loads(line), dict):
                return
        shown = line[:100].decode(errors="replace")
        raise AgentError(f"{self._name} wrote {shown!r}, which is not a message of the protocol")

    async def _drained(self) -> bytes:
        """Read standard error to its end, so that the agent is not held up; its last characters."""
        assert self._process.stderr is not None
        kept = b""
        while part := await self._process.stderr.read(_CHUNK):
            kept = (kept + part)[-_TOLD:]
        return kept

    async def _last(self, draining: asyncio.Future[bytes]) -> str:
        """The last line of its standard error, and its status."""
        code = await self._process.wait()
        text = (await draining).decode(errors="replace").strip()
        return f", with {code}" + (f": {text.splitlines()[-1]}" if text else "")


class _Client:
    """Answers what the agent asks."""

    def __init__(self, folder: Path, files: Files) -> None:
        self.turn = Turn()
        self._folder = folder
        self._files = files

    def on_connect(self, conn: object) -> None:
        """Nothing is asked of the agent beside its turn."""

    async def session_update(self, session_id: str, update: Any, **_: Any) -> None:
        """Keep what the agent says."""
        text = getattr(getattr(update, "content", None), "text", None)
        is_said = getattr(update, "session_update", "") == "agent_message_chunk"
        if is_said and isinstance(text, str) and len(self.turn.said) < _TOLD:
            self.turn.said += text[: _TOLD - len(self.turn.said)]

    async def read_text_file(
        self, session_id: str, path: str, line: int | None = None, limit: int | None = None, **_: Any
    ) -> Any:
        """The text of a file of the work tree, or some of its lines."""
        from acp.schema import ReadTextFileResponse

        text = await self._asked(lambda: self._files.read(path))
        if line is not None or limit is not None:
            begin = max(0, (line or 1) - 1)
            lines = text.splitlines(keepends=True)
            text = "".join(lines[begin : None if limit is None else begin + limit])
        return ReadTextFileResponse(content=text)

    async def write_text_file(self, session_id: str, path: str, content: str, **_: Any) -> Any:
        """Write a file of the work tree."""
        from acp.schema import WriteTextFileResponse

        await self._asked(lambda: self._files.write(path, content))
        return WriteTextFileResponse()

    async def request_permission(
        self, session_id: str, tool_call: Any, options: Sequence[Any], **_: Any
    ) -> Any:
        """Permit what stays in the work tree and runs nothing; refuse the rest."""
        from acp.schema import AllowedOutcome, DeniedOutcome, RequestPermissionResponse

        reason = self._against(tool_call)
        wanted = ("reject_once", "reject_always") if reason else ("allow_once", "allow_always")
        if reason:
            self.turn.refused.append(reason)
        chosen = next((one for kind in wanted for one in options if one.kind == kind), None)
        if chosen is None:
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        outcome = AllowedOutcome(outcome="selected", option_id=chosen.option_id)
        return RequestPermissionResponse(outcome=outcome)

    def _against(self, call: Any) -> str:
        """Why a tool call is refused; empty: it is not."""
        told = str(call.title or call.tool_call_id)[:200]
        is_own = call.kind in (None, "other") and _OWN_TOOL.fullmatch(told)
        if call.kind not in ALLOWED and not is_own:
            return f"{told!r} was refused: {call.kind or 'a tool of no kind'} is not permitted in a loop"
        for place in call.locations or ():
            if not Path(place.path).resolve().is_relative_to(self._folder.resolve()):
                return f"{told!r} was refused: {place.path} is outside of the work tree"
        return ""

    async def _asked(self, work: Callable[[], T]) -> T:
        """What a file gives, in a thread. Raises acp.RequestError, which the agent is told."""
        from acp import RequestError

        try:
            return await asyncio.to_thread(work)
        except AgentError as error:
            self.turn.refused.append(str(error))
            raise RequestError.invalid_params({"reason": str(error)}) from None


def _own_server() -> list[Any]:
    """The MCP server of this installation, for the agent to ask."""
    from acp.schema import McpServerStdio

    return [McpServerStdio(name=OWN, command=sys.executable, args=["-m", "gateline", "mcp"], env=[])]


def _version() -> str:
    from gateline import __version__

    return __version__
