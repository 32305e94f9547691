"""A committed project for a real server, and what the server says of its documents."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from time import monotonic

from editor import Editor
from lsprotocol import types as lsp

from gateline.lsp.handlers.diagnostics import PATIENCE
from support.repositories import Repository

WITHOUT_DOCS = "[documentation]\nenabled = false\n"
WITHOUT_TYPES = WITHOUT_DOCS + "[types]\nenabled = false\n"
"""Settings of tests that are about something else."""


def committed(folder: Path, files: dict[str, str | bytes]) -> Repository:
    """A repository whose branch main has these files."""
    repository = Repository(folder)
    repository.git("init", "--quiet", "--initial-branch", "main")
    for path, text in files.items():
        repository.write(path, text)
    repository.commit("start")
    return repository


async def said(editor: Editor, uri: str) -> list[str]:
    """Line, code and, for hints, `hint` of each diagnostic, once every analyzer has spoken."""
    return _short(await told(editor, uri))


async def told(editor: Editor, uri: str) -> list[lsp.Diagnostic]:
    """All diagnostics of a document, once every analyzer has spoken."""
    params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
    while True:
        began = monotonic()
        report = await editor.client.text_document_diagnostic_async(params)
        if monotonic() - began < PATIENCE:
            assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
            return list(report.items)


def drawn(editor: Editor, uri: str) -> list[str]:
    """What was pushed last of a document, without waiting."""
    newest = [params for params in editor.pushed if params.uri == uri][-1:]
    return [line for params in newest for line in _short(params.diagnostics)]


def _short(items: Iterable[lsp.Diagnostic]) -> list[str]:
    """The gate's own result is left out: it comes with a verdict, whenever that is."""
    found = [item for item in items if item.code != "GTL900"]
    hints = [" hint" if item.severity == lsp.DiagnosticSeverity.Hint else "" for item in found]
    return [f"{i.range.start.line + 1} {i.code}{hint}" for i, hint in zip(found, hints, strict=True)]
