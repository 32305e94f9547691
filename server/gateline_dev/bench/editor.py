"""What our editor says it can do, as much as VS Code where diagnostics are concerned, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

Json = dict[str, Any]

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


_METHOD_NOT_FOUND = -32601
_WITHOUT_RESULT = ("window/", "client/", "workspace/")
"""Progress, messages, registrations, refreshes: said yes to."""


class Answers:
    """The editor's side of the server's requests, and what the server registered for."""

    def __init__(self, root: Path, settings: Mapping[str, Any]) -> None:
        self.root, self.settings = root, settings
        self.registered: dict[str, Json] = {}
        """Method and options of each dynamic registration."""

    @property
    def folders(self) -> list[Json]:
        """The one workspace folder."""
        return [{"uri": self.root.as_uri(), "name": self.root.name}]

    def answer(self, method: str, params: Json) -> Json:
        """The part of the response that differs: `result` or `error`."""
        match method:
            case "workspace/configuration":
                return {"result": [self._section(item.get("section")) for item in params["items"]]}
            case "workspace/workspaceFolders":
                return {"result": self.folders}
            case "workspace/applyEdit":
                return {"result": {"applied": False}}
            case "client/registerCapability":
                self._register(params["registrations"])
        if method.startswith(_WITHOUT_RESULT):
            return {"result": None}
        return {"error": {"code": _METHOD_NOT_FOUND, "message": f"this editor does not know {method}"}}

    def _register(self, registrations: list[Json]) -> None:
        for registration in registrations:
            self.registered[registration["method"]] = registration.get("registerOptions") or {}

    def _section(self, name: str | None) -> Any:
        value: Any = self.settings
        for key in name.split(".") if name else ():
            value = value.get(key) if isinstance(value, Mapping) else None
        return value
