"""The restore matrix through a real server: an editor carries out what the server gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from applying import applied
from editor import Editor
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from real_project import WITHOUT_TYPES, committed

from gateline.session.tasks.savepoints import savepoints_of
from support.savepoint_desk import BEGIN, GAPS, MATRIX, digests, tree_of, write

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(120)]

LEFT_ALONE = {
    "bytes that are no text",
    "a link",
    "a link that leads nowhere",
    "a file that becomes a link",
    "a file that becomes a folder",
    "a right to execute",
    "a right to execute that is new",
    "line ends",
    "a private file that is gone",
    "a private file that was opened",
    "a private file with another content",
}
"""Rows of which an editor cannot write everything: it says so, and the shell can."""


def some(rows: Iterable[str]) -> list[Any]:
    """Each sixth row; the others are deep. The store's own tests have every row, and quicker."""
    return [name if n % 6 == 0 else pytest.param(name, marks=pytest.mark.deep) for n, name in enumerate(rows)]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("first")
    committed(folder, {**BEGIN, "gateline.toml": WITHOUT_TYPES})
    return folder


@pytest.fixture(scope="module")
def prepare() -> Callable[[Editor], None]:
    return lambda editor: editor.takes_edits(lambda params: applied(params.edit))


async def opened(editor: Editor, folder: Path) -> None:
    """Another folder in the workspace, about which the server can answer."""
    editor.folders(added=[lsp.WorkspaceFolder(folder.as_uri(), folder.name)], removed=[])
    await editor.until(lambda: folder.as_uri() in {status.folder for status in editor.status})


async def restored(editor: Editor, **where: object) -> Any:
    params = lsp.ExecuteCommandParams(command="gateline.restore", arguments=[where])
    return await editor.client.workspace_execute_command_async(params)


@pytest.mark.parametrize("name", some(MATRIX))
async def test_what_an_editor_can_write_is_as_it_was(editor: Editor, tmp_path: Path, name: str) -> None:
    before, after = MATRIX[name]
    repository = committed(tmp_path, {**BEGIN, "gateline.toml": WITHOUT_TYPES})
    for do in before:
        do(repository)
    then = tree_of(tmp_path)
    kept = savepoints_of(tmp_path).take("test", datetime.now(UTC)).id
    for do in after:
        do(repository)
    changed, git = tree_of(tmp_path), digests(tmp_path / ".git")
    await opened(editor, tmp_path)
    answer, left = await carried_out(editor, tmp_path, kept, then)
    assert bool(left) == (name in LEFT_ALONE), left
    assert digests(tmp_path / ".git") == git
    await carried_out(editor, tmp_path, answer["now"], changed)
    assert digests(tmp_path / ".git") == git


@pytest.mark.parametrize("name", some(GAPS))
async def test_what_was_not_covered_is_left_alone_and_told(editor: Editor, tmp_path: Path, name: str) -> None:
    before, after, left = GAPS[name]
    repository = committed(tmp_path, {**BEGIN, "gateline.toml": WITHOUT_TYPES})
    for do in before:
        do(repository)
    kept = savepoints_of(tmp_path, largest=1000).take("test", datetime.now(UTC))
    for do in (*after, write("newer.py", "newer = 1\n")):
        do(repository)
    changed = tree_of(tmp_path)
    await opened(editor, tmp_path)
    shown = await restored(editor, uri=tmp_path.as_uri(), savepoint=kept.id, preview=True, dirty=[])
    assert (shown["applied"], tree_of(tmp_path)) == (False, changed)
    assert [row["path"] for row in shown["uncovered"]] == [row.path for row in kept.uncovered]
    answer = await restored(editor, uri=tmp_path.as_uri(), savepoint=kept.id, dirty=[])
    assert answer["steps"] == shown["steps"]
    told = {step["path"]: step["conflict"] for step in answer["steps"] if step["conflict"]}
    assert set(told) == {path for path, why in left.items() if why}
    assert all(why in told.get(path, "") for path, why in left.items())
    found = tree_of(tmp_path)
    assert {path: found.get(path) for path in left} == {path: changed.get(path) for path in left}
    assert "newer.py" not in found


async def test_a_path_that_names_nothing_is_a_mistake(editor: Editor, root: Path) -> None:
    kept = savepoints_of(root).take("test", datetime.now(UTC)).id
    with pytest.raises(JsonRpcException, match=r"there is no file 'cart\.pyy', neither in savepoint"):
        await restored(editor, uri=root.as_uri(), savepoint=kept, paths=["cart.pyy"], dirty=[])


async def carried_out(
    editor: Editor, folder: Path, savepoint: str, wanted: dict[str, str]
) -> tuple[dict[str, Any], set[str]]:
    """Restore in one edit, or none where nothing can be: each file is as asked, or is named and as before."""
    before = tree_of(folder)
    editor.applied.clear()
    answer = await restored(editor, uri=folder.as_uri(), savepoint=savepoint, dirty=[])
    assert len(editor.applied) == int(answer["applied"])
    left = {step["path"] for step in answer["steps"] if step["conflict"]}
    found = tree_of(folder)
    for path in {*wanted, *before, *found}:
        assert found.get(path) == (before if path in left else wanted).get(path), path
    return answer, left
