"""What is typed before there is a server is work like any other."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from editor import Editor
from lsprotocol import types as lsp
from real_project import WITHOUT_TYPES, committed

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(60)]

CODE = '"""Prices."""\n\nPRICE = 1\n'


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    committed(folder, {"prices.py": CODE, "gateline.toml": WITHOUT_TYPES})
    return folder


async def test_it_begins_a_task_which_is_kept(editor: Editor) -> None:
    editor.open("prices.py", CODE.replace("1", "2"), version=7)
    async with asyncio.timeout(30):
        while not (kept := (await editor.ask("gateline/savepoint/list", {})).savepoints):
            await asyncio.sleep(0.2)
    (task,) = (await editor.ask("gateline/task/list", {})).tasks
    assert task.description == "Edit prices.py"
    where = {"savepoint": kept[0].id, "preview": True}
    params = lsp.ExecuteCommandParams(command="gateline.restore", arguments=[where])
    answer = await editor.client.workspace_execute_command_async(params)
    assert answer["steps"] == [], "the savepoint has what was typed"
