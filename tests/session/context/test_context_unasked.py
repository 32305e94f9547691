"""Who never asks for context pays nothing for it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from gateline.session.context.service import ContextService
from gateline.session.context.setup import retrieval_of
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Scheduler
from gateline.session.workspace.workspace import open_workspace
from support.checking_desk import HandClock, settle
from support.context_bench import asked


async def test_no_process_is_started_before_the_first_question(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("x = 1\n")
    clock = HandClock()
    service = ContextService(Documents(), Scheduler(clock))
    await service.opened(open_workspace(tmp_path, os.environ), trusted=True)
    service.edited()
    await settle()
    assert (clock.sleepers, service.process.child.pid, service.state) == ([], None, "waiting")


async def test_who_asked_another_day_finds_the_index_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text("def price(): ...\n")
    (root / "gateline.toml").write_text('[context]\nsemantic = "off"\n')
    kept = retrieval_of(root, os.environ)
    kept.refresh()
    kept.save()
    clock = HandClock()
    service = ContextService(Documents(), Scheduler(clock))
    try:
        await service.opened(open_workspace(root, os.environ), trusted=True)
        await settle()
        assert service.process.child.pid is None
        clock.wake()
        async with asyncio.timeout(30):
            while service.state != "ready":
                await asyncio.sleep(0.01)
        answer = await asked(service, "price")
        assert [passage.name for passage in answer.passages] == ["price"]
        assert service.process.child.starts == 1
    finally:
        await service.stop()
