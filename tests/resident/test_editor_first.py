"""Where an editor has the workspace open, it is asked: its unsaved texts count."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))

import pytest
import pytest_lsp
from editor import REAL, Editor, attach, config
from pytest_lsp import LanguageClient

from gateline.resident.connection import connect
from gateline.resident.registration import registrations
from repositories import Repository

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(scope="module", autouse=True)
def first(environment: None) -> None:
    """The server, too, starts in this environment."""


@pytest.fixture(scope="module")
def root(shop: Repository) -> Path:
    return shop.folder


@pytest_lsp.fixture(scope="module", config=config(*REAL))
async def client(lsp_client: LanguageClient, root: Path):
    await attach(lsp_client, root, lambda editor: None)
    yield
    await lsp_client.shutdown_session()


def ask(root: Path, **params: Any) -> dict[str, Any]:
    with connect(str(root), start=False) as session:
        assert session.registration.kind == "editor"
        return session.ask("gateline/check", {"patience": 60_000, "level": "early", **params}, 90)


async def registered(root: Path) -> None:
    while not registrations(str(root)):
        await asyncio.sleep(0.02)


async def test_what_is_typed_counts_before_it_is_saved(client: LanguageClient, root: Path) -> None:
    await asyncio.wait_for(registered(root), 20)
    assert (await asyncio.to_thread(ask, root))["evaluation"]["files"] == []
    editor: Editor = client.editor
    editor.open("cart.py", "import os\nos.system('ls')\n")
    said = await asyncio.to_thread(ask, root)
    assert said["fresh"]
    assert [row["path"] for row in said["evaluation"]["files"]] == ["cart.py"]
