"""Restoring through a server while another editor is open, on a full disk, and killed at each step."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from applying import applied
from editor import REAL, Editor, attach, capable, config
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient
from real_project import WITHOUT_TYPES, committed

from gateline.session.tasks.savepoints import recovered, savepoints_of
from support.savepoint_desk import BEGIN, digests, killed_half_way, tree_of

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(180)]

LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, resource.RLIM_INFINITY))
from gateline.lsp.start import main
main(["--stdio"])
"""
MORTAL = """
import os, signal, subprocess, sys
from pathlib import Path
from gateline.session.tasks.recording import rollback
mark, begun, count = Path(sys.argv[1]), False, 0
run, real = subprocess.run, rollback.rollback
def dying(*given, **named):
    global count
    count += begun
    if begun and count == int(mark.read_text()):
        os.kill(os.getpid(), signal.SIGKILL)
    return run(*given, **named)
def marked(*given, **named):
    global begun
    begun = True
    return real(*given, **named)
subprocess.run, rollback.rollback = dying, marked
from gateline.lsp.start import main
main(["--stdio"])
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    committed(folder, {**BEGIN, "gateline.toml": WITHOUT_TYPES})
    return folder


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of which no other server takes savepoints: what one has stored, none need write again."""
    folder = tmp_path_factory.mktemp("alone")
    committed(folder, {**BEGIN, "gateline.toml": WITHOUT_TYPES})
    return folder


@pytest.fixture(scope="module")
def prepare() -> Callable[[Editor], None]:
    return lambda editor: editor.takes_edits(lambda params: applied(params.edit))


@pytest_lsp.fixture(scope="module", config=config(*REAL))
async def other(lsp_client: LanguageClient, root: Path, prepare: Callable[[Editor], None]):
    """Another editor on the same workspace."""
    await attach(lsp_client, root, prepare, "neovim")
    yield
    await lsp_client.shutdown_session()


@pytest_lsp.fixture(scope="module", config=config(sys.executable, "-c", LIMITED))
async def limited(lsp_client: LanguageClient, alone: Path, prepare: Callable[[Editor], None]):
    """An editor whose server can write no file of over 400 kB."""
    await attach(lsp_client, alone, prepare)
    yield
    await lsp_client.shutdown_session()


async def restored(editor: Editor, savepoint: str, dirty: tuple[str, ...] = ()) -> Any:
    where = {"uri": editor.root.as_uri(), "savepoint": savepoint, "dirty": list(dirty)}
    params = lsp.ExecuteCommandParams(command="gateline.restore", arguments=[where])
    return await editor.client.workspace_execute_command_async(params)


def kept(root: Path) -> str:
    return savepoints_of(root).take("test", datetime.now(UTC)).id


async def test_what_another_editor_writes_or_holds_is_not_lost(
    editor: Editor, other: LanguageClient, root: Path
) -> None:
    first, git = kept(root), digests(root / ".git")
    mine, theirs = editor.open("cart.py", "total = 1\n"), other.editor.open("shop/till.py", "open = 1\n")
    editor.edit(mine, 2, (None, "mine = 1\n"))
    other.editor.edit(theirs, 2, (None, "theirs = 1\n"))
    # The other editor saves a file of which nobody tells this server.
    (root / "shop" / "till.py").write_text("theirs = 1\n")
    answers = await asyncio.gather(
        restored(editor, first, (mine,)), other.editor.ask("gateline/savepoint/list", {})
    )
    assert answers[0]["applied"]
    assert (root / "shop" / "till.py").read_text() == "open = 1\n"
    # Both are in the savepoint of before, and come back to whoever asks.
    other.editor.close(theirs)
    back = await restored(other.editor, answers[0]["now"])
    assert {step["path"]: step["conflict"] for step in back["steps"]} == {"cart.py": "", "shop/till.py": ""}
    assert (root / "shop" / "till.py").read_text() == "theirs = 1\n"
    assert (root / "cart.py").read_text() == "mine = 1\n"
    assert digests(root / ".git") == git


async def test_two_editors_restore_at_once(editor: Editor, other: LanguageClient, root: Path) -> None:
    (root / "new.py").write_text("new = 1\n")
    first = kept(root)
    (root / "new.py").write_text("new = 2\n")
    answers = await asyncio.gather(restored(editor, first), restored(other.editor, first))
    assert (root / "new.py").read_text() == "new = 1\n"
    savepoints = savepoints_of(root)
    for answer in answers:
        savepoints.find(answer["now"])
    savepoints.shadow.run("fsck", "--connectivity-only")


async def test_while_another_restores_it_waits_and_then_says_who_is_at_it(editor: Editor, root: Path) -> None:
    (root / "new.py").write_text("new = 1\n")
    first = kept(root)
    (root / "new.py").write_text("new = 2\n")
    with savepoints_of(root).restoring():
        with pytest.raises(
            JsonRpcException, match=rf"under way \(process {os.getpid()}\): nothing was restored"
        ):
            await restored(editor, first)
        assert (root / "new.py").read_text() == "new = 2\n"
    assert (await restored(editor, first))["applied"]
    assert (root / "new.py").read_text() == "new = 1\n"


async def test_a_restore_in_the_shell_that_was_killed_is_undone_first(editor: Editor, root: Path) -> None:
    """Else the next command in the shell would undo it later, and what the editor restored with it."""
    (root / "new.py").write_text("new = 1\n")
    first = kept(root)
    (root / "new.py").write_text("new = 2\n")
    killed_half_way(savepoints_of(root), first)
    assert (root / "new.py").read_text() == "new = 1\n"
    with pytest.raises(
        JsonRpcException, match="an interrupted restore was undone: the files are as they were"
    ):
        await restored(editor, first)
    assert (root / "new.py").read_text() == "new = 2\n"
    assert (await restored(editor, first))["applied"]
    assert recovered(savepoints_of(root)) is None
    assert (root / "new.py").read_text() == "new = 1\n"


async def test_without_room_for_a_savepoint_nothing_is_restored(limited: LanguageClient, alone: Path) -> None:
    first = kept(alone)
    (alone / "large.py").write_text(random.Random(1).randbytes(500_000).hex())
    before, git = tree_of(alone), digests(alone / ".git")
    with pytest.raises(Exception, match="git"):
        await restored(limited.editor, first)
    assert limited.editor.applied == []
    assert (tree_of(alone), digests(alone / ".git")) == (before, git)
    (alone / "large.py").unlink()


@pytest.mark.slow
@pytest.mark.timeout(400)
async def test_a_server_that_is_killed_leaves_what_was_there(tmp_path: Path) -> None:
    """At each call of git that a restore takes: as before, or as asked, and the next server can do it."""
    root = tmp_path / "shop"
    root.mkdir()
    committed(root, {**BEGIN, "gateline.toml": WITHOUT_TYPES})
    asked, first = tree_of(root), kept(root)
    (root / "cart.py").write_text("total = 2\n")
    (root / "new.py").write_text("new = 1\n")
    before, git = tree_of(root), digests(root / ".git")
    mark = tmp_path / "step"
    for step in range(1, 40):
        mark.write_text(str(step))
        died = await _dies(root, mark, first)
        assert tree_of(root) in (before, asked), step
        assert digests(root / ".git") == git
        # What comes after the edit changes nothing more.
        if not died or tree_of(root) == asked:
            break
    assert step > 5, "killed too seldom to say anything"
    assert tree_of(root) == asked


async def _dies(root: Path, mark: Path, savepoint: str) -> bool:
    """Whether the server was killed before it answered."""
    client = await config(sys.executable, "-c", MORTAL, str(mark)).start()
    editor = Editor(client, root)
    editor.takes_edits(lambda params: applied(params.edit))
    await editor.start(capable("visual-studio-code"))
    try:
        async with asyncio.timeout(60):
            await restored(editor, savepoint)
        await client.shutdown_session()
    except (RuntimeError, JsonRpcException):
        # The client's own words for a server that is gone.
        return True
    finally:
        await client.stop()
    return False
