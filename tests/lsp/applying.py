"""What an editor does with a workspace edit, here on the disk alone."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris
from pygls.workspace import TextDocument


def applied(edit: lsp.WorkspaceEdit) -> list[str]:
    """Carry out an edit, one change after another, and give back what changed as `action name`."""
    done = []
    for change in edit.document_changes or ():
        if isinstance(change, lsp.TextDocumentEdit):
            file = _file(change.text_document.uri)
            with file.open(encoding="utf-8", newline="") as opened:
                document = TextDocument(change.text_document.uri, opened.read())
            for part in change.edits:
                assert isinstance(part, lsp.TextEdit)
                document.apply_change(lsp.TextDocumentContentChangePartial(part.range, part.new_text))
            with file.open("w", encoding="utf-8", newline="") as opened:
                opened.write(document.source)
            done.append(f"change {file.name}")
        elif isinstance(change, lsp.CreateFile):
            file = _file(change.uri)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
            done.append(f"create {file.name}")
        else:
            assert isinstance(change, lsp.DeleteFile)
            _file(change.uri).unlink()
            done.append(f"delete {_file(change.uri).name}")
    return done


def _file(uri: str) -> Path:
    path = uris.to_fs_path(uri)
    assert path is not None
    return Path(path)
