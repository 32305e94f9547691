"""An agent: one MCP server, started as agents start it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from gateline.resident.registration import ENGINE, registrations

GATELINE = (sys.executable, "-m", "gateline")
_IDENTITY = ("-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "commit.gpgsign=false")


class ToolFailedError(Exception):
    """A tool answered with an error; the text is its own."""


@asynccontextmanager
async def agent(root: Path, environment: Mapping[str, str]) -> AsyncIterator[Client]:
    """A client of `gateline mcp` in a workspace; its engine is ended with it."""
    command, *arguments = [*GATELINE, "mcp", "--workspace", str(root)]
    server = StdioServerParameters(command=command, args=arguments, env={**os.environ, **environment})
    try:
        async with Client(stdio_client(server)) as client:
            yield client
    finally:
        for registration in registrations(str(root)):
            if registration.kind == ENGINE:
                os.kill(registration.pid, signal.SIGTERM)


async def call(client: Client, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The structured answer of a tool. Raises ToolFailedError."""
    result = await client.call_tool(tool, dict(arguments))
    if result.is_error:
        raise ToolFailedError(getattr(result.content[0], "text", "no reason"))
    answer: dict[str, Any] = result.structured_content
    return answer


def git(root: Path, *arguments: str) -> str:
    """Run git in a workspace of our own."""
    command = ["git", *_IDENTITY, *arguments]
    return subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout


def private(folder: Path) -> dict[str, str]:
    """Variables that keep caches, state and sockets in a folder, whose path is to be short."""
    names = ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
    return {name: str(folder / name[4:9].lower()) for name in names} | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
