"""Several folders, their settings, and the encodings of editors."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_lsp
from editor import SCRIPTED, Editor, capable, config
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient


@pytest_lsp.fixture(config=config(*SCRIPTED))
async def client(lsp_client: LanguageClient, tmp_path: Path):
    for name in ("one", "two", "one/inner"):
        (tmp_path / name).mkdir()
    lsp_client.editor = Editor(lsp_client, tmp_path)
    yield
    await lsp_client.shutdown_session()


def folders(editor: Editor, *names: str) -> list[lsp.WorkspaceFolder]:
    return [lsp.WorkspaceFolder(editor.uri(name), name) for name in names]


async def changed(editor: Editor, added: tuple[str, ...] = (), removed: tuple[str, ...] = ()) -> None:
    event = lsp.WorkspaceFoldersChangeEvent(folders(editor, *added), folders(editor, *removed))
    params = lsp.DidChangeWorkspaceFoldersParams(event)
    editor.client.workspace_did_change_workspace_folders(params)


async def test_each_folder_has_its_own_session_and_settings(client: LanguageClient, tmp_path: Path) -> None:
    e = client.editor
    for name in ("one", "two"):
        settings = {"interpreter": [f"/{name}/python"], "drawnElsewhere": ["security"]}
        client.set_configuration({"gateline": settings}, scope_uri=e.uri(name))
    await e.start(capable("visual-studio-code"), tmp_path / "one", tmp_path / "two")
    assert (await e.heard("start", root="one")).python == "/one/python"
    told = await e.heard("start", root="two")
    assert (told.python, told.elsewhere, told.trusted) == ("/two/python", ["security"], False)


async def test_a_question_right_after_a_folder_came_waits_for_its_session(client: LanguageClient) -> None:
    e = client.editor
    await e.start(capable("visual-studio-code"))
    await changed(e, added=("two",))
    assert (await e.ask("gateline/doctor", {"uri": e.uri("two")})).health == "ok"


async def test_changed_settings_restart_only_their_folder(client: LanguageClient, tmp_path: Path) -> None:
    e = client.editor
    await e.start(capable("visual-studio-code"), tmp_path / "one", tmp_path / "two")
    uri = e.open("one/a.py", "# TODO\n")
    await e.shown(uri, "TODO left")
    await e.heard("start", root="two")
    e.told.clear()
    client.set_configuration({"gateline": {"interpreter": "/new/python"}}, scope_uri=e.uri("one"))
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(None))
    assert (await e.heard("start", root="one")).python == "/new/python"
    await e.heard("open", root="one", path="a.py")
    await e.barrier()
    assert not [t for t in e.told if t.root == "two"]


async def test_settings_files_nobody_watches_are_read_again_on_request(client: LanguageClient) -> None:
    e = client.editor
    capabilities = capable("visual-studio-code")
    capabilities.workspace.did_change_watched_files = None
    await e.start(capabilities)
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(None))
    await e.heard("reload")
    assert not [r for r in e.registered if r.id == "gateline.files"]


async def test_a_client_without_configuration_sends_settings_along(
    client: LanguageClient, tmp_path: Path
) -> None:
    e = client.editor
    capabilities = capable("visual-studio-code")
    capabilities.workspace.configuration = False
    await e.start(capabilities, tmp_path / "one", options={"interpreter": "/first", "trusted": "yes"})
    assert (await e.heard("start")).python == "/first"
    (complaint,) = client.log_messages
    assert "gateline.trusted" in complaint.message and "'yes'" in complaint.message
    settings = {"gateline": {"interpreter": "/second"}}
    client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings))
    await e.heard("start", python="/second")


async def test_the_innermost_folder_owns_a_document(client: LanguageClient, tmp_path: Path) -> None:
    e = client.editor
    await e.start(capable("visual-studio-code"), tmp_path / "one")
    uri = e.open("one/inner/a.py", "# TODO\n")
    await e.heard("open", root="one", path="inner/a.py")
    await changed(e, added=("one/inner",))
    await e.heard("close", root="one", path="inner/a.py")
    await e.heard("open", root="inner", path="a.py")
    await changed(e, removed=("one/inner",))
    await e.heard("stop", root="inner")
    await e.heard("open", root="one", path="inner/a.py")
    await e.shown(uri, "TODO left")


async def test_a_removed_folder_takes_its_findings_along(client: LanguageClient, tmp_path: Path) -> None:
    e = client.editor
    await e.start(capable("visual-studio-code"), tmp_path / "one", tmp_path / "two")
    uri = e.open("two/a.py", "# TODO\n")
    await e.shown(uri, "TODO left")
    e.close(uri)
    await e.shown(uri)
    await changed(e, removed=("two",))
    await e.heard("stop", root="two")
    assert await e.shown(uri) == []


async def test_without_any_folder_each_document_finds_its_project(
    client: LanguageClient, tmp_path: Path
) -> None:
    e = client.editor
    (tmp_path / "two" / "pyproject.toml").touch()
    params = lsp.InitializeParams(capabilities=capable("visual-studio-code"))
    await client.initialize_session(params)
    uri = e.open("two/a.py", "# TODO\n")
    await e.shown(uri, "TODO left")
    await e.heard("open", root="two", path="a.py")
    lone = e.open("untitled:Untitled-1", "# TODO\n")
    await e.shown(lone, "TODO left")


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 13), ("utf-16", 8), ("utf-32", 6)])
async def test_columns_are_counted_as_agreed(
    client: LanguageClient, tmp_path: Path, encoding: str, column: int
) -> None:
    e = client.editor
    answer = await e.start(capable("neovim", encodings=[lsp.PositionEncodingKind(encoding)]))
    assert answer.capabilities.position_encoding == encoding
    uri = e.open("astral.py", '"\U0001d4d0\U0001d4d0é"\n')
    await e.heard("open", path="astral.py")
    e.edit(uri, 2, ((0, column - 1, 0, column - 1), " "), ((0, column, 0, column), "TODO"))
    (one,) = await e.shown(uri, "TODO left")
    assert (await e.heard("change")).text == '"\U0001d4d0\U0001d4d0é" TODO\n'
    assert (one.range.start.character, one.range.end.character) == (column, column + 4)


async def test_a_file_deleted_outside_takes_its_findings_along(client: LanguageClient) -> None:
    e = client.editor
    await e.start(capable("visual-studio-code"))
    uri = e.open("a.py", "# TODO\n")
    await e.shown(uri, "TODO left")
    e.touched(("a.py", lsp.FileChangeType.Deleted))
    await e.heard("files", paths=["a.py"])
    # The client still has it open: what it shows is its own text.
    await e.shown(uri, "TODO left")
