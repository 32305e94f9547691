"""One `ty server`, and which texts lie over the disk in it."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from gateline.services.types.ty.client import TyClient

Diagnostic = Mapping[str, Any]
"""One of ty's diagnostics as LSP has it, with columns in code points."""

_SCHEMES = frozenset({"file", "untitled"})
_ENCODING = "utf-32"
"""Columns in code points, which are ours."""
_CREATED, _DELETED = 1, 3
_CAPABILITIES = {
    "general": {"positionEncodings": [_ENCODING]},
    "textDocument": {"diagnostic": {}},
    # ty then watches nothing by itself, and believes what it is told.
    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
}


class TyError(Exception):
    """There is no answer of ty; the message says why, for people."""


class TyTimeoutError(TyError):
    """The answer took longer than allowed."""


@dataclass(frozen=True, slots=True)
class TySetup:
    """How ty is to be run."""

    command: str
    root: str
    python: str
    """The project's interpreter. It takes the place of one that ty's own settings name."""
    trusted: bool = False
    """Whether ty may run commands of the workspace."""


class TyServer:
    """A process that is started when it is first asked, and again when it was lost.

    Callers take turns: while a question is under way, nobody may change what is laid.
    """

    def __init__(self, setup: TySetup, timeout: float) -> None:
        self.setup = setup
        self.timeout = timeout
        """Seconds for one answer."""
        self._client: TyClient | None = None
        self._closed = False
        self._laid: dict[str, str] = {}
        self._versions = itertools.count(1)

    @property
    def pid(self) -> int | None:
        """The process identifier while it lives."""
        return self._client.pid if self._client else None

    @property
    def complaint(self) -> str:
        """What ty says of settings that it could not use."""
        return self._client.complaint if self._client else ""

    async def diagnostics(self, path: str, texts: Mapping[str, str]) -> Sequence[Diagnostic]:
        """What ty says of `path` while exactly these texts lie over the disk. Raises TyError."""
        client = await self._started()
        self._lay(client, texts)
        asked = {"textDocument": {"uri": self._uri(path)}}
        answer = await client.ask("textDocument/diagnostic", asked, self.timeout)
        # No earlier answer was named, so this one is whole.
        found: Sequence[Diagnostic] = answer["items"]
        return found

    def files_changed(self, paths: Iterable[str]) -> None:
        """Files were written or removed."""
        if self._client is not None and self._client.pid is not None:
            changes = [{"uri": self._uri(path), "type": self._event(path)} for path in paths]
            self._client.tell("workspace/didChangeWatchedFiles", {"changes": changes})

    async def close(self) -> None:
        """End the process for good, also one that is just being started."""
        self._closed = True
        await self.stop()

    async def stop(self) -> None:
        """End the process; the next question starts another."""
        client, self._client, self._laid = self._client, None, {}
        if client is not None:
            await client.end()

    async def _started(self) -> TyClient:
        if self._client is not None and self._client.pid is not None:
            return self._client
        if self._closed:
            raise TyError("ty was stopped")
        await self.stop()
        from gateline.services.types.ty.client import TyClient

        client = self._client = TyClient()
        await client.start(self.setup.command, self.setup.root)
        if self._client is not client:
            await client.end()
            raise TyError("ty was stopped")
        answer = await client.ask("initialize", self._introduction(), self.timeout)
        client.tell("initialized", {})
        if answer["capabilities"].get("positionEncoding") != _ENCODING:
            raise TyError(f"{self.setup.command} is too old; update it: pip install -U ty")
        return client

    def _introduction(self) -> Mapping[str, object]:
        root = Path(self.setup.root)
        return {
            "processId": os.getpid(),
            "rootUri": root.as_uri(),
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
            "capabilities": _CAPABILITIES,
            "initializationOptions": {
                "logLevel": "error",
                "diagnosticMode": "openFilesOnly",
                "disableLanguageServices": True,
                "showSyntaxErrors": False,
                "untrustedWorkspace": not self.setup.trusted,
                "configuration": {"environment": {"python": self.setup.python}},
            },
        }

    def _lay(self, client: TyClient, texts: Mapping[str, str]) -> None:
        for path in self._laid.keys() - texts.keys():
            client.tell("textDocument/didClose", {"textDocument": {"uri": self._uri(path)}})
        for path, text in texts.items():
            if self._laid.get(path) != text:
                self._show(client, path, text)
        self._laid = dict(texts)

    def _show(self, client: TyClient, path: str, text: str) -> None:
        document = {"uri": self._uri(path), "version": next(self._versions)}
        text = _sendable(text)
        if path in self._laid:
            content = {"textDocument": document, "contentChanges": [{"text": text}]}
            client.tell("textDocument/didChange", content)
        else:
            opened = {**document, "languageId": "python", "text": text}
            client.tell("textDocument/didOpen", {"textDocument": opened})

    def _uri(self, path: str) -> str:
        return path if urlsplit(path).scheme in _SCHEMES else Path(self.setup.root, path).as_uri()

    def _event(self, path: str) -> int:
        # ty finds a new module when it is told of its creation, and reads a known one again.
        return _CREATED if Path(self.setup.root, path).exists() else _DELETED


async def on_disk(root: str, paths: Iterable[str]) -> list[str]:
    """Those of `paths`, relative to `root`, that are files."""

    def present() -> list[str]:
        return [path for path in paths if Path(root, path).is_file()]

    return await asyncio.to_thread(present)


def _sendable(text: str) -> str:
    """The text with a mark in place of each half of a surrogate pair, which JSON readers refuse."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
