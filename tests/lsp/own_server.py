"""A real server for each test, in the module's own `root`, that is not started yet: import `client`."""

from __future__ import annotations

from pathlib import Path

import pytest_lsp
from editor import REAL, Editor, config
from pytest_lsp import LanguageClient


@pytest_lsp.fixture(config=config(*REAL))
async def client(lsp_client: LanguageClient, root: Path):
    lsp_client.editor = Editor(lsp_client, root)
    yield
    await lsp_client.shutdown_session()
