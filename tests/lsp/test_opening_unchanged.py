"""Opening a document that is as the base has it tells of no work: nothing is at stake."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import Editor
from real_project import WITHOUT_TYPES, committed

from gateline.session.tasks.tasks import tasks_of
from gateline.worklog.task import Tier
from gateline.worklog.tier import InferredTier

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(60)]

PUBLIC = '"""Prices."""\n\n\ndef price(net: int) -> int:\n    """With tax."""\n    return net\n'


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project without a change, and work that was left."""
    folder = tmp_path_factory.mktemp("shop")
    committed(folder, {"prices.py": PUBLIC, "gateline.toml": WITHOUT_TYPES})
    with tasks_of(folder) as tasks:
        tasks.start("Rounding", InferredTier(Tier.STANDARD, "two files"), "rounding")
    return folder


async def test_nothing_is_told_where_nothing_changed(editor: Editor) -> None:
    editor.open("prices.py", PUBLIC)
    await editor.until(lambda: editor.status and editor.status[-1].checkpoint)
    answer = await editor.ask("gateline/checkpoint/detect", {})
    assert (answer.left, editor.detected) == (None, [])


async def test_it_is_answered_once_something_is_at_stake(editor: Editor) -> None:
    uri = (editor.root / "prices.py").as_uri()
    editor.edit(uri, 2, (None, PUBLIC.replace("net: int", "net: int, tax: int")))
    await editor.barrier()
    answer = await editor.ask("gateline/checkpoint/detect", {})
    assert answer.left.task.description == "Rounding"
