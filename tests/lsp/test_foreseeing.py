"""What the type checker is told to do before anybody can ask it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest

from gateline.lsp import foreseeing
from gateline.lsp.folders import Folders
from gateline.services import spawning
from gateline.services.types.messages import FAR, Glance


async def test_a_document_is_looked_at_only_where_no_engine_can_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, object]] = []
    monkeypatch.setattr(spawning, "tell", lambda *said: told.append(said))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "shop"
    root.mkdir()
    folders = Folders(lambda _: None)
    setup = foreseeing.setup_without_cache(folders.add(root))
    assert setup is not None
    document = SimpleNamespace(uri=(root / "cart.py").as_uri(), text="total = 1\n")
    configured = asyncio.Event()
    server = SimpleNamespace(buffers=lambda: (document,), folders=folders, configured=configured)
    looking = asyncio.ensure_future(foreseeing.document(server))  # type: ignore[arg-type]
    await asyncio.sleep(0.1)
    assert not told, "the client has not said what may run"
    configured.set()
    await looking
    ((module, message),) = told
    assert module == FAR and isinstance(message, Glance)
    assert (message.request.setup, message.request.texts) == (setup, {"cart.py": "total = 1\n"})
    (Path(setup.cache_dir) / "resident").mkdir(parents=True)
    await foreseeing.document(server)  # type: ignore[arg-type]
    assert len(told) == 1, "it would only be waited for"
