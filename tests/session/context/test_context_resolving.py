"""What names mean, in answers: beside the index, in time, and said where it is missing."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from gateline.context.values import Answer
from gateline.services.child import Child
from gateline.session.context.resolving import STARTING
from gateline.session.context.service import ContextService
from gateline.session.live.documents import Documents
from gateline.session.live.scheduler import Scheduler
from gateline.session.workspace.workspace import open_workspace
from support.context_bench import asked, until

pytestmark = pytest.mark.timeout(120)
FILES = {
    "aorder.py": "class Order:\n    def total(self) -> int:\n        return 7\n",
    "cart.py": "class Cart:\n    def total(self) -> int:\n        return 1\n",
    "pay.py": (
        "from aorder import Order\nfrom cart import Cart\n\n\n"
        "def checkout(thing: Cart) -> int:\n    return thing.total()\n\n\n"
        "def ordered(thing: Order) -> int:\n    return thing.total()\n"
    ),
    "late.py": "from pay import *\n\n\ndef last(thing: Cart) -> int:\n    return thing.total()\n",
    "gateline.toml": '[context]\nsemantic = "off"\n',
}
HANGS = "import sys, time; sys.stdin.buffer.read(1); time.sleep(60)"


class Shop:
    def __init__(self, root: Path) -> None:
        self.documents = Documents()
        self.root = root
        self.service = ContextService(self.documents, Scheduler())

    async def at(self, path: str, line: int, column: int | None = None, seconds: float = 1.9) -> Answer:
        return await self.service.for_position(path, line, 4000, column, seconds)

    async def resolved(self, path: str, line: int, column: int | None = None) -> Answer:
        """An answer of a process that has begun; two seconds may not do on a machine that others use, too."""
        while True:
            answer = await self.at(path, line, column)
            if not answer.degraded:
                return answer


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What was parsed of the standard library, which each test would parse again."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
async def shop(tmp_path: Path, parsed: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Shop]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(parsed))
    root = tmp_path / "shop"
    root.mkdir()
    for name, text in FILES.items():
        (root / name).write_text(text)
    made = Shop(root)
    await made.service.opened(open_workspace(root, os.environ), trusted=False)
    yield made
    await made.service.stop()


def named(answer: Answer) -> list[str]:
    return [f"{one.path} {one.name}" for one in answer.passages]


def calling(answer: Answer) -> set[str]:
    return {one.name for one in answer.passages if "calls total" in one.why}


async def test_the_symbol_under_the_cursor_comes_first(shop: Shop) -> None:
    answer = await shop.resolved("pay.py", 5, 19)
    assert named(answer)[:2] == ["cart.py Cart.total", "pay.py checkout"]
    assert "called here as total" in answer.passages[0].why
    assert "resolved" in answer.tiers
    assert not any("called here" in " ".join(p.why) for p in answer.passages if p.name == "Order.total")


async def test_without_a_column_the_definition_around_comes_first(shop: Shop) -> None:
    answer = await shop.resolved("pay.py", 9)
    assert named(answer)[:2] == ["pay.py ordered", "aorder.py Order.total"]


async def test_who_calls_another_of_the_name_is_no_caller(shop: Shop) -> None:
    assert calling(await shop.resolved("cart.py", 1)) == {"checkout", "last"}
    assert calling(await shop.resolved("aorder.py", 1)) == {"ordered"}


async def test_the_first_question_starts_the_process_and_says_what_is_missing(shop: Shop) -> None:
    await asked(shop.service, "total")
    shop.service.edited()
    assert shop.service.resolving.child.pid is None
    answer = await shop.at("pay.py", 5, 19, 0.001)
    assert answer.degraded["resolved"] == STARTING
    assert {"pay.py checkout", "cart.py Cart.total"} <= set(named(answer))
    assert "resolved" not in answer.tiers
    assert not (await shop.resolved("pay.py", 5, 19)).degraded
    assert shop.service.resolving.child.starts == 1


async def test_an_unsaved_text_is_resolved(shop: Shop) -> None:
    await shop.resolved("pay.py", 5, 19)
    text = FILES["pay.py"].replace("thing: Cart", "thing: Order")
    shop.documents.open("pay.py", text, 1)
    shop.service.edited()
    assert named(await shop.resolved("pay.py", 5, 19))[0] == "aorder.py Order.total"
    shop.documents.close("pay.py")
    shop.service.edited()
    assert named(await shop.resolved("pay.py", 5, 19))[0] == "cart.py Cart.total"


async def test_a_killed_process_is_started_again(shop: Shop) -> None:
    await shop.resolved("pay.py", 5, 19)
    killed = shop.service.resolving.child.pid
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    await until(lambda: shop.service.resolving.child.pid is None)
    assert named(await shop.resolved("pay.py", 5, 19))[0] == "cart.py Cart.total"


async def test_one_that_hangs_holds_up_nobody(shop: Shop) -> None:
    hanging = Child("hanging", program=[sys.executable, "-c", HANGS])
    shop.service.resolving.child = hanging
    await asked(shop.service, "total")
    async with asyncio.timeout(20):
        answers = [await shop.at("pay.py", 5, 19, 0.05) for _ in range(3)]
    assert all(
        "resolved" in answer.degraded and answer.passages
        for answer in answers
        if "index" not in answer.degraded
    )


async def test_nothing_is_resolved_where_there_is_no_python(shop: Shop) -> None:
    answer = await shop.at("gateline.toml", 0)
    assert "resolved" not in answer.degraded
    assert shop.service.resolving.child.pid is None
