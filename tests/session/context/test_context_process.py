"""What becomes of an index that is being made when the settings change."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from gateline.services.child import Child, ChildError
from gateline.session.context.process import ContextProcess
from gateline.session.context.requests import Ask, Open, Step
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Scheduler

pytestmark = pytest.mark.timeout(60)


class Interrupted(Child):
    """A process, while whose first step something happens."""

    def __init__(self) -> None:
        super().__init__("gateline.session.context.child_main")
        self.asked: list[object] = []
        self.meanwhile: Callable[[], None] = lambda: None

    async def ask(self, message: object, *args: Any, **options: Any) -> Any:
        self.asked.append(message)
        answer = await super().ask(message, *args, **options)
        if isinstance(message, Step):
            meanwhile, self.meanwhile = self.meanwhile, lambda: None
            meanwhile()
        return answer


@pytest.fixture
async def child() -> AsyncIterator[Interrupted]:
    child = Interrupted()
    yield child
    await child.stop()


async def nothing(_: Path) -> None:
    """Nobody embeds."""


def opening(root: Path) -> Open:
    return Open(root, None, 1_000_000, (), root.parent / "kept", (), None)


def shop(root: Path, files: int) -> Path:
    (root / "left").mkdir(parents=True)
    for number in range(files):
        (root / "left" / f"a{number}.py").write_text("def price(): ...\n")
    (root / "shop.py").write_text("def order(): ...\n")
    return root


@pytest.mark.parametrize("files", [1, 200], ids=["in the last step", "with steps to come"])
async def test_settings_that_change_meanwhile_count(child: Interrupted, tmp_path: Path, files: int) -> None:
    process = ContextProcess(Documents(), Scheduler(), child, nothing, lambda: None)
    old = opening(shop(tmp_path / "shop", files))
    new = old._replace(left_out=("left/",))
    process.reopen(old)
    child.meanwhile = lambda: process.reopen(new)
    await process.index()
    assert process.is_ready
    assert [one for one in child.asked if isinstance(one, Open)] == [old, new]
    assert (await process.ask(Ask())).files == 1
    await process.stop()


async def test_what_is_switched_off_meanwhile_is_not_ready(child: Interrupted, tmp_path: Path) -> None:
    process = ContextProcess(Documents(), Scheduler(), child, nothing, lambda: None)
    process.reopen(opening(shop(tmp_path / "shop", 200)))
    child.meanwhile = lambda: process.reopen(None)
    with pytest.raises(ChildError, match="context is disabled"):
        await process.index()
    assert (process.is_ready, child.starts) == (False, 1)
    await process.stop()
