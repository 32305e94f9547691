"""What our editor says it can do: as much as VS Code, as far as diagnostics are concerned."""

from __future__ import annotations

from gateline_dev.bench.buffer import Json

CAPABILITIES: Json = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"didSave": True, "dynamicRegistration": True},
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": True,
            "codeDescriptionSupport": True,
            "dataSupport": True,
            "tagSupport": {"valueSet": [1, 2]},
        },
        "diagnostic": {"dynamicRegistration": True, "relatedDocumentSupport": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
    "workspace": {
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
        "diagnostics": {"refreshSupport": True},
    },
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
}

FULL, INCREMENTAL = 1, 2


def incremental(server: Json) -> bool:
    """Whether the server takes edits, not whole texts."""
    sync = server.get("textDocumentSync", FULL)
    kind = sync.get("change", FULL) if isinstance(sync, dict) else sync
    return bool(kind == INCREMENTAL)


def wants_text(server: Json) -> bool:
    """Whether `didSave` must carry the text."""
    sync = server.get("textDocumentSync")
    save = sync.get("save") if isinstance(sync, dict) else None
    return isinstance(save, dict) and bool(save.get("includeText"))
