"""A real server for a module of tests, in the module's own `root`. What stands beside is imported by name."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pytest
import pytest_lsp
from editor import REAL, Editor, attach, config
from pytest_lsp import LanguageClient


@pytest.fixture(scope="module")
def prepare() -> Callable[[Editor], None]:
    """What is done with the editor before it starts; modules put their own in this place."""
    return lambda editor: None


@pytest_lsp.fixture(scope="module", config=config(*REAL))
async def client(lsp_client: LanguageClient, root: Path, prepare: Callable[[Editor], None]):
    await attach(lsp_client, root, prepare)
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: LanguageClient) -> Editor:
    return client.editor
