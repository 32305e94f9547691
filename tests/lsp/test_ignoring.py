"""The action that ignores a finding: offered where a comment has an effect, behind all that mends it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from editor import Editor, capable
from lsprotocol import types as lsp
from own_server import client as client

from support.repositories import Repository

pytestmark = pytest.mark.deep

TEXT = '''"""Runs."""

import subprocess

COUNT: int = "one"
subprocess.call(input(), shell=True)
'''


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "shop"
    root.mkdir()
    shop = Repository(root)
    shop.git("init", "--quiet", "--initial-branch", "main")
    shop.commit(**{"run.py": '"""Runs."""\n'})
    return root


async def opened(editor: Editor, **options: object) -> str:
    await editor.start(capable("visual-studio-code"), options={"trusted": True, **options})
    uri = editor.open("run.py", TEXT)
    await editor.until(lambda: {"GTL110", "GTL301"} <= {d.code for d in drawn(editor, uri)}, 90)
    return uri


def drawn(editor: Editor, uri: str) -> list[lsp.Diagnostic]:
    newest = [pushed.diagnostics for pushed in editor.pushed if pushed.uri == uri]
    return list(newest[-1]) if newest else []


async def offered(editor: Editor, uri: str, line: int) -> list[Any]:
    place = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))
    context = lsp.CodeActionContext([], only=[lsp.CodeActionKind.QuickFix])
    params = lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), place, context)
    return list(await editor.ask("textDocument/codeAction", params))


async def test_what_counts_can_be_ignored_with_a_reason(editor: Editor) -> None:
    uri = await opened(editor)
    *repairs, ignore = await offered(editor, uri, 4)
    assert ignore.title == "Ignore GTL110 here, with a reason" and not ignore.is_preferred
    assert not any("Ignore" in repair.title for repair in repairs)
    (change,) = ignore.edit.document_changes
    assert change.text_document.version == 1
    (written,) = change.edits
    assert written.new_text == "  # gateline: ignore[GTL110] <reason>"
    lines = TEXT.splitlines()
    assert written.range == lsp.Range(lsp.Position(4, len(lines[4])), lsp.Position(4, len(lines[4])))
    lines[4] += written.new_text
    editor.edit(uri, 2, (None, "\n".join(lines) + "\n"))
    await editor.until(lambda: {"GTL110", "GTL901"} <= {d.code for d in drawn(editor, uri)}, 90)
    lines[4] = lines[4].replace("<reason>", "the table is text")
    editor.edit(uri, 3, (None, "\n".join(lines) + "\n"))
    await editor.until(lambda: not {"GTL110", "GTL901"} & {str(d.code) for d in drawn(editor, uri)}, 90)


async def test_a_floor_cannot_be_ignored(editor: Editor) -> None:
    uri = await opened(editor)
    assert not [action for action in await offered(editor, uri, 5) if "Ignore" in action.title]
    said = {d.code: d.data for d in drawn(editor, uri)}
    assert (_ignorable(said["GTL110"]), _ignorable(said["GTL301"])) == (True, False)


async def test_a_client_that_asks_for_the_reason_itself_is_offered_none(editor: Editor) -> None:
    uri = await opened(editor, asksForReasons=True)
    assert not [action for action in await offered(editor, uri, 4) if "Ignore" in action.title]


def _ignorable(data: Any) -> bool:
    return bool(data["ignorable"] if isinstance(data, dict) else data.ignorable)
