"""Who never asks for context pays nothing for it."""

from __future__ import annotations

import os
from pathlib import Path

from checking_desk import HandClock, settle
from gateline.session.context_service import ContextService
from gateline.session.documents import Documents
from gateline.session.scheduler import Scheduler
from gateline.session.workspace import open_workspace


async def test_no_process_is_started_before_the_first_question(tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text("x = 1\n")
    clock = HandClock()
    service = ContextService(Documents(), Scheduler(clock))
    await service.opened(open_workspace(tmp_path, os.environ), trusted=True)
    service.edited()
    await settle()
    assert (clock.sleepers, service.process.child.pid, service.state) == ([], None, "waiting")
