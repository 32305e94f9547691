"""Calls the tools of a server as an agent does, with the SDK's own client."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal
from mcp import Client
from mcp_types import CallToolResult

GATELINE = [sys.executable, "-m", "gateline"]
BASE = '"""A shop."""\n\n\ndef price(name: str) -> int:\n    """The price."""\n    return len(name)\n'


class Agent:
    """Calls tools, each from start to end."""

    def __init__(self, portal: BlockingPortal, client: Client, root: Path) -> None:
        self.portal = portal
        self.client = client
        self.root = root

    def result(self, tool: str, **arguments: Any) -> CallToolResult:
        return self.portal.call(self.client.call_tool, tool, arguments)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer, which is also what the text says."""
        given = {"wait": 60, **arguments} if tool in ("gate_check", "checkpoint") else arguments
        result = self.result(tool, **given)
        assert not result.is_error, result.content
        answer: dict[str, Any] = result.structured_content
        assert json.loads(result.content[0].text) == answer
        return answer

    def refusal(self, tool: str, **arguments: Any) -> str:
        """What is said where a tool refuses."""
        result = self.result(tool, **arguments)
        assert result.is_error, result.structured_content
        return result.content[0].text

    def read(self, uri: str) -> str:
        return self.portal.call(self.client.read_resource, uri).contents[0].text

    def tools(self) -> list[Any]:
        return list(self.portal.call(self.client.list_tools).tools)
