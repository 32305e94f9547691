"""Texts and files that nobody would write on purpose: a real server analyses them, or says why not."""

from __future__ import annotations

from pathlib import Path

import pytest
from editor import Editor
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient
from real_project import WITHOUT_DOCS, committed, drawn, said, told
from type_project import Warm

pytestmark = pytest.mark.asyncio(loop_scope="module")

GOOD, BAD = "NUMBER: int = 1\n", "NUMBER: int = ''\n"
OLD = "import pickle\n\n\ndef load(data: bytes) -> object:\n    return pickle.loads(data)\n"
FILES: dict[str, str | bytes] = {
    "gateline.toml": WITHOUT_DOCS,
    "good.py": GOOD,
    "empty.py": "",
    "old.py": OLD,
    "latin.py": "# -*- coding: latin-1 -*-\nNAME: str = 'é'\n".encode("latin-1"),
    "marked.py": b"\xef\xbb\xbf" + GOOD.encode(),
    "bytes.py": b"NAME = '\xff'\n",
    "codec.py": b"# coding: no-such-codec\nNAME = 1\n",
    "nul.py": b"NAME = 1\0\n",
    "huge.py": b"NAME = 1\n" * 555_556,
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, warm: Warm) -> Path:
    folder = tmp_path_factory.mktemp("odd")
    warm(folder)
    return committed(folder, FILES).folder


def on_disk(root: Path, path: str) -> str:
    """A file as an editor decodes it that knows no Python."""
    return (root / path).read_bytes().decode("utf-8", "replace")


# Texts


async def test_syntax_errors_everywhere(editor: Editor) -> None:
    uri = editor.open("good.py", GOOD)
    editor.edit(uri, 2, (None, "def f(:\n" * 5_000))
    found = await said(editor, uri)
    assert {line.split()[1] for line in found} == {"GTL101"}
    assert {1, 2, 3} < {int(line.split()[0]) for line in found}
    assert len(found) < 100, "nobody reads more, and an editor would stand still"
    editor.edit(uri, 3, (None, BAD))
    assert await said(editor, uri) == ["1 GTL110"]
    editor.close(uri)


async def test_an_empty_file_is_filled_and_emptied(editor: Editor) -> None:
    uri = editor.open("empty.py", "")
    assert await said(editor, uri) == []
    editor.edit(uri, 2, ((0, 0, 0, 0), BAD))
    assert await said(editor, uri) == ["1 GTL110"]
    editor.edit(uri, 3, ((0, 0, 1, 0), ""))
    assert await said(editor, uri) == []
    editor.close(uri)


async def test_nul_bytes_are_errors_where_they_stand(editor: Editor, root: Path) -> None:
    uri = editor.open("nul.py", on_disk(root, "nul.py"))
    assert await said(editor, uri) == ["1 GTL101 hint"], "the base has it"
    editor.edit(uri, 2, (None, GOOD + "x = 1 \0\ny = '\0'\n"))
    (first, second) = await told(editor, uri)
    assert (first.range.start, second.range.start) == (lsp.Position(1, 6), lsp.Position(2, 5))
    assert first.message == "A null character is not allowed in Python source"
    editor.edit(uri, 3, (None, GOOD))
    assert await said(editor, uri) == []
    editor.close(uri)


@pytest.mark.parametrize(("path", "encoding"), [("latin.py", "latin-1"), ("marked.py", "utf-8-sig")])
async def test_a_declared_encoding_is_honoured(editor: Editor, root: Path, path: str, encoding: str) -> None:
    text = (root / path).read_bytes().decode(encoding)
    uri = editor.open(path, text)
    assert await said(editor, uri) == [], "its base is the same text"
    line = text.count("\n")
    editor.edit(uri, 2, ((line, 0, line, 0), "E = 'é'; WRONG: int = 'é'\n"))
    (only,) = [d for d in await told(editor, uri) if d.code == "GTL110"]
    assert (only.range.start, only.range.end) == (lsp.Position(line, 22), lsp.Position(line, 25))
    editor.close(uri)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("bytes.py", "cannot be decoded as utf-8: byte 0xff at 8"),
        ("codec.py", "cannot be decoded: unknown encoding: no-such-codec"),
        ("huge.py", "5.0 MB is over max-file-size (3.0 MB)"),
    ],
)
async def test_what_is_not_analysed_says_why(editor: Editor, root: Path, path: str, reason: str) -> None:
    uri = editor.open(path, on_disk(root, path))
    for version in (2, 3):
        (only,) = await told(editor, uri)
        assert only.message == f"A document was not analysed: {reason}"
        assert (only.code, only.severity) == ("GTL904", lsp.DiagnosticSeverity.Hint)
        editor.edit(uri, version, ((0, 0, 0, 0), "x = (\n"))
    editor.close(uri)


async def test_a_text_that_grows_too_large_is_left_out_until_it_shrinks(editor: Editor) -> None:
    uri = editor.open("good.py", BAD)
    assert await said(editor, uri) == ["1 GTL110"]
    editor.edit(uri, 2, ((1, 0, 1, 0), "#" * 5_000_000))
    (only,) = await told(editor, uri)
    assert "5.0 MB is over max-file-size" in only.message
    editor.edit(uri, 3, (None, "\n" + BAD))
    assert await said(editor, uri) == ["2 GTL110"]
    editor.close(uri)


async def test_files_that_cannot_be_read_are_limits_of_a_verdict(editor: Editor, root: Path) -> None:
    (root / "more.py").write_bytes(b"NAME = '\xfe'\n")
    editor.touched(("more.py", lsp.FileChangeType.Created))
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    why = "cannot be decoded as utf-8: byte 0xfe at 8"
    assert answer.limits == [f"more.py: skipped ({why})", f"errors: no data (more.py: {why})"]
    uri = editor.uri("more.py")
    assert drawn(editor, uri) == ["1 GTL101"], "it says why, and GTL904 would say it again"
    editor.open("more.py", on_disk(root, "more.py"))
    (only,) = [d for d in await told(editor, uri) if d.code != "GTL900"]
    assert (only.code, only.severity) == ("GTL101", lsp.DiagnosticSeverity.Error)
    editor.edit(uri, 2, ((0, 0, 0, 0), "x = (\n"))
    await editor.ask("gateline/checkpoint/evaluate", {"level": "early"})
    (only,) = [d for d in await told(editor, uri) if d.code != "GTL900"]
    assert (only.code, only.severity) == ("GTL101", lsp.DiagnosticSeverity.Warning)
    editor.close(uri)
    await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert drawn(editor, uri) == ["1 GTL101"]
    (root / "more.py").unlink()
    editor.touched(("more.py", lsp.FileChangeType.Deleted))
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert answer.limits == []
    assert drawn(editor, uri) == []


# Documents without a file, and files that go away


async def test_an_untitled_document_is_analysed_alone(editor: Editor) -> None:
    uri = editor.open("untitled:Untitled-1", BAD + "x = (\n")
    assert "2 GTL101" in await said(editor, uri)
    editor.edit(uri, 2, ((1, 0, 2, 0), ""))
    assert await said(editor, uri) == ["1 GTL110"]
    editor.close(uri)
    await editor.shown(uri)


async def test_notebooks_are_nobody_s(editor: Editor) -> None:
    cell = "vscode-notebook-cell:/book.ipynb#W0"
    send = editor.client.protocol._send_data
    book = {"uri": editor.uri("book.ipynb"), "notebookType": "jupyter-notebook", "version": 1}
    document = {"uri": cell, "languageId": "python", "version": 1, "text": BAD}
    cells = [{"kind": 2, "document": cell}]
    opened = {"notebookDocument": {**book, "cells": cells}, "cellTextDocuments": [document]}
    send({"jsonrpc": "2.0", "method": "notebookDocument/didOpen", "params": opened})
    editor.open(cell, BAD)
    assert await said(editor, cell) == []
    editor.edit(cell, 2, (None, "x = (\n"))
    assert await said(editor, cell) == []
    editor.close(cell)
    assert not [params for params in editor.pushed if params.uri == cell and params.diagnostics]


async def test_an_open_document_outlives_its_file(editor: Editor, root: Path) -> None:
    uri = editor.open("old.py", OLD)
    assert await said(editor, uri) == ["5 GTL301 hint"]
    (root / "old.py").unlink()
    editor.touched(("old.py", lsp.FileChangeType.Deleted))
    editor.edit(uri, 2, ((5, 0, 5, 0), BAD))
    assert await said(editor, uri) == ["5 GTL301 hint", "6 GTL110"]
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert [file.status for file in answer.files] == ["modified"], "what is open counts"
    editor.close(uri)
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert [file.status for file in answer.files] == ["deleted"]
    (root / "old.py").write_text(OLD)
    editor.touched(("old.py", lsp.FileChangeType.Created))


async def test_findings_follow_a_file_that_another_program_renames(editor: Editor, root: Path) -> None:
    (root / "old.py").rename(root / "renamed.py")
    editor.touched(("old.py", lsp.FileChangeType.Deleted), ("renamed.py", lsp.FileChangeType.Created))
    uri = editor.open("renamed.py", "# New.\n" + OLD)
    assert await said(editor, uri) == ["6 GTL301 hint"]
    answer = await editor.ask("gateline/checkpoint/evaluate", {"level": "final"})
    assert [(file.path, file.status) for file in answer.files] == [("renamed.py", "renamed")]
    assert [finding.novelty for finding in answer.findings] == ["old"]
    editor.close(uri)
    (root / "renamed.py").rename(root / "old.py")
    editor.touched(("renamed.py", lsp.FileChangeType.Deleted), ("old.py", lsp.FileChangeType.Created))


@pytest.mark.slow
async def test_a_thousand_open_documents(editor: Editor) -> None:
    uris = [editor.open(f"many/m{number}.py", BAD) for number in range(1_000)]
    await editor.until(lambda: all(drawn(editor, uri) == ["1 GTL110"] for uri in uris), patience=100)
    editor.edit(uris[0], 2, ((0, 0, 0, 0), "\n"))
    assert await said(editor, uris[0]) == ["2 GTL110"]
    for uri in uris:
        editor.close(uri)
    uri = editor.open("good.py", BAD)
    assert await said(editor, uri) == ["1 GTL110"]
    assert not [uri for uri in uris if drawn(editor, uri)]
    editor.close(uri)


async def test_nothing_popped_up_meanwhile(client: LanguageClient) -> None:
    assert client.messages == []
