"""An agent: the SDK's own client, and the server as agents start it, over one small workspace."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pytest
from anyio.from_thread import start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_agent import BASE, GATELINE, Agent

from support.engines import end_engines, without_types
from support.repositories import Repository


@pytest.fixture(scope="module")
def environment() -> Iterator[None]:
    with without_types():
        yield


@pytest.fixture(scope="module")
def shop(environment: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    made = Repository(tmp_path_factory.mktemp("shop"))
    made.git("init", "--quiet", "--initial-branch", "main")
    made.commit("base", **{"shop.py": BASE, ".gitignore": "built/\n"})
    yield made
    end_engines(made.folder)


@pytest.fixture(scope="module")
def working(shop: Repository) -> Iterator[Agent]:
    command, *arguments = [*GATELINE, "mcp", "--workspace", str(shop.folder)]
    server = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))
    with ExitStack() as open_:
        portal = open_.enter_context(start_blocking_portal())
        client = open_.enter_context(portal.wrap_async_context_manager(Client(stdio_client(server))))
        yield Agent(portal, client, shop.folder)


@pytest.fixture
def agent(working: Agent, shop: Repository) -> Iterator[Agent]:
    """Afterwards the work tree is as it was."""
    yield working
    shop.git("reset", "--hard", "--quiet")
    shop.git("clean", "-fdxq")
