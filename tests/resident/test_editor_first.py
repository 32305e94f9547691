"""Where an editor has the workspace open, it is asked: its unsaved texts count."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))

import pytest
import pytest_lsp
from editor import REAL, Editor, attach, config
from pytest_lsp import LanguageClient

from gateline.model import digest_of
from gateline.resident.connection import connect
from gateline.resident.registration import registrations
from support.repositories import Repository

CART = 'def total(prices: list[int]) -> int:\n    """Add up."""\n    return sum(prices)\n'

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


async def test_buffers_and_files_in_random_order(client: LanguageClient, root: Path) -> None:
    """What counts is the buffer where one is open, else the file; a fresh answer is of just that."""
    chosen = random.Random(17)
    editor: Editor = client.editor
    buffers: dict[str, str] = {}
    editor.close(editor.uri("cart.py"))
    for number in range(20):
        path, text = chosen.choice(["cart.py", "more.py"]), f'"""Number {number}."""\n'
        step = chosen.choice(["open", "edit", "write", "write", "close"])
        if step == "open" and path not in buffers:
            editor.open(path, text)
            buffers[path] = text
        elif step == "edit" and path in buffers:
            editor.edit(editor.uri(path), number + 10, (None, text))
            buffers[path] = text
        elif step == "close" and path in buffers:
            editor.close(editor.uri(path))
            del buffers[path]
        elif step == "write":
            (root / path).write_text(text)
        said = await asyncio.to_thread(ask, root)
        assert said["fresh"]
        base = {"cart.py": CART}
        now = {p: buffers.get(p) or _read(root / p) for p in ("cart.py", "more.py")}
        differing = {p: digest_of(t) for p, t in now.items() if t is not None and t != base.get(p)}
        assert {row["path"]: row["hash"] for row in said["contents"]} == differing, (number, step)


def _read(file: Path) -> str | None:
    return file.read_text() if file.exists() else None
