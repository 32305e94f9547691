"""A restore as one workspace edit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from gateline.lsp.convert import to_client
from gateline.model import Span
from gateline.model.document import split_lines
from gateline.store.savepoints.values import Action, Step

if TYPE_CHECKING:
    from pathlib import Path

    from gateline.lsp.server import Server
    from gateline.session.tasks.recording.rollback import Rollback

_EDITED = "it was edited while the rollback was computed; try again"
_Change = lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile


def rollback_edit(ls: Server, made: Rollback) -> lsp.WorkspaceEdit:
    """All files at once, so that one undo takes it back. Open documents are named with their version."""
    steps = [step for step in made.steps if not step.conflict]
    changes = [change for step in steps for change in _changes(ls, made, step)]
    return lsp.WorkspaceEdit(document_changes=changes)


def without_edited(ls: Server, made: Rollback) -> Rollback:
    """Without the files of which a person edited the text since it was looked at: that text would be lost."""
    steps = tuple(
        replace(step, conflict=_EDITED) if _is_edited(ls, made, step) else step for step in made.steps
    )
    return replace(made, steps=steps)


def _is_edited(ls: Server, made: Rollback, step: Step) -> bool:
    rewrite = made.rewrites.get(step.path)
    buffer = ls.buffer(_uri(ls, made.top / step.path)) if rewrite is not None and not step.conflict else None
    return buffer is not None and rewrite is not None and "".join(buffer.lines) != rewrite.before


def _changes(ls: Server, made: Rollback, step: Step) -> Iterator[_Change]:
    file = made.top / step.path
    uri = _uri(ls, file)
    if step.action is Action.DELETE:
        yield lsp.DeleteFile(uri, options=lsp.DeleteFileOptions(ignore_if_not_exists=True))
        return
    if step.action is Action.CREATE:
        yield lsp.CreateFile(uri, options=lsp.CreateFileOptions(ignore_if_exists=True))
    rewrite = made.rewrites[step.path]
    buffer = ls.buffer(uri)
    lines = buffer.lines if buffer else split_lines(rewrite.before)
    document = lsp.OptionalVersionedTextDocumentIdentifier(uri, buffer.version if buffer else None)
    yield lsp.TextDocumentEdit(document, [lsp.TextEdit(_whole(ls, lines), rewrite.after)])


def _whole(ls: Server, lines: Sequence[str]) -> lsp.Range:
    """From the first to the last place of a text with these lines."""
    last = len(lines) - 1
    if lines and lines[last].endswith(("\n", "\r")):
        return to_client(Span.of(0, 0, last + 1, 0), lines, ls.encoding)
    return to_client(Span.of(0, 0, max(last, 0), len(lines[last]) if lines else 0), lines, ls.encoding)


def _uri(ls: Server, file: Path) -> str:
    """As the client spells it, where it is open."""
    uri = file.as_uri()
    address = ls.folders.address(uri)
    return address.folder.uri_of(address.path) if address else uri
