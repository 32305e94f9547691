"""Opening a workspace waits for nothing that is remembered of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from editor import Editor
from real_project import WITHOUT_TYPES, committed

from gateline.session.tasks.tasks import tasks_of
from gateline.store.folders import DATABASE, state_of
from gateline.worklog.task import Tier
from gateline.worklog.tier import InferredTier

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(60)]

CODE = '"""Prices."""\n\nPRICE = 1\n'


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A change that matters, and the work of another branch that was left."""
    folder = tmp_path_factory.mktemp("shop")
    repository = committed(folder, {"prices.py": CODE, "gateline.toml": WITHOUT_TYPES})
    with tasks_of(folder) as tasks:
        tasks.start("Rounding", InferredTier(Tier.STANDARD, "two files"), "rounding")
    for name in ("one.py", "other.py"):
        repository.write(name, CODE)
    return folder


@pytest.fixture(scope="module")
def held(root: Path) -> Iterator[sqlite3.Connection]:
    """The store, in which another process is writing."""
    connection = sqlite3.connect(state_of(root) / DATABASE, isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield connection
    connection.close()


@pytest.fixture(scope="module")
def prepare(held: sqlite3.Connection):
    return lambda editor: held.execute("SELECT 1")


async def test_a_server_answers_while_its_store_is_busy(editor: Editor, held: sqlite3.Connection) -> None:
    uri = editor.open("prices.py", CODE + "def (\n")
    await editor.until(lambda: any(p.uri == uri and p.diagnostics for p in editor.pushed))
    await editor.barrier()
    assert editor.detected == [], "who is told is noted first, and that must wait"
    held.execute("ROLLBACK")
    answer = await editor.ask("gateline/checkpoint/detect", {})
    assert answer.left.task.description == "Rounding"
