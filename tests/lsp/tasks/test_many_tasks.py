"""That many tasks are in progress is told by a real server when a workspace opens."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from editor import Editor
from real_project import WITHOUT_DOCS, committed
from type_project import Warm

from gateline.session.tasks.tasks import tasks_of
from gateline.worklog.task import Tier
from gateline.worklog.tier import InferredTier

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(120)]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    warm(folder)
    committed(folder, {"prices.py": "NET = 1\n", "gateline.toml": WITHOUT_DOCS})
    with tasks_of(folder) as tasks:
        for number in range(40):
            tasks.start(f"Task {number}", InferredTier(Tier.LIGHT, "one file"), "main")
    return folder


async def test_it_is_told(editor: Editor) -> None:
    async with asyncio.timeout(60):
        while not editor.client.messages:
            await asyncio.sleep(0.05)
    told = [message.message for message in editor.client.messages]
    assert told == ["gateline: 40 tasks are in progress; over 50, the longest unused lose their events"]
