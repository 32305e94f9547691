"""Another SDK's client: `@modelcontextprotocol/inspector` in its command-line mode; `make test-inspector`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from gateline.mcp.tools import BY_NAME
from gateline.resident.registration import ENGINE, registrations
from support.repositories import Repository

PROGRAM = os.environ.get("GATELINE_INSPECTOR") or shutil.which("mcp-inspector") or ""

pytestmark = pytest.mark.skipif(not PROGRAM, reason="no mcp-inspector: `make test-inspector` installs it")


def asked(repository: Repository, *arguments: str) -> dict[str, Any]:
    server = [sys.executable, "-m", "gateline", "mcp", "--workspace", str(repository.folder)]
    command = [PROGRAM, "--cli", *server, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_it_lists_calls_and_reads(repository: Repository, without_types: None) -> None:
    repository.commit("base", **{"shop.py": '"""A shop."""\n'})
    repository.write("shop.py", '"""A shop."""\n\neval(input())\n')
    try:
        tools = asked(repository, "--method", "tools/list")["tools"]
        assert [tool["name"] for tool in tools] == list(BY_NAME)
        assert all("outputSchema" in tool for tool in tools)
        call = ("--method", "tools/call", "--tool-name", "gate_check", "--tool-arg", "wait=60")
        answer = asked(repository, *call)
        assert not answer["isError"] and answer["structuredContent"]["fresh"]
        assert "GTL301" in {row["code"] for row in answer["structuredContent"]["findings"]}
        rules = asked(repository, "--method", "resources/read", "--uri", "gateline://rules")
        assert "GTL301" in rules["contents"][0]["text"]
    finally:
        for registration in registrations(str(repository.folder)):
            if registration.kind == ENGINE:
                os.kill(registration.pid, 15)
