"""An editor: a real server process on the other end, and what it said so far."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

SCRIPTED = [sys.executable, str(Path(__file__).with_name("scripted.py"))]
REAL = [sys.executable, "-m", "gateline", "server", "--stdio"]
_PATIENCE = 30.0


def config(*command: str) -> ClientServerConfig:
    """How a server is started; the package under test is the one that is imported here."""
    return ClientServerConfig(server_command=list(command))


def capable(recorded: str, **changes: object) -> lsp.ClientCapabilities:
    """A recorded editor's capabilities; `pull=True` takes pushes away, `encodings` says what it counts."""
    found = client_capabilities(recorded)
    if encodings := changes.get("encodings"):
        found.general = lsp.GeneralClientCapabilities(position_encodings=encodings)  # type: ignore[arg-type]
    if changes.get("pull"):
        found.text_document.publish_diagnostics = None
        found.text_document.diagnostic = lsp.DiagnosticClientCapabilities()
    if changes.get("both"):
        found.text_document.diagnostic = lsp.DiagnosticClientCapabilities()
    if changes.get("refresh"):
        found.workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
    return found


class Editor:
    """Drives one client. Waiting is always for something said, never for time."""

    def __init__(self, client: LanguageClient, root: Path) -> None:
        self.client, self.root = client, root
        self._news = asyncio.Event()
        self.told: list[Any] = []
        self.status: list[Any] = []
        self.pushed: list[lsp.PublishDiagnosticsParams] = []
        self.detected: list[Any] = []
        self.applied: list[Any] = []
        self.refreshes = 0
        self.registered: list[lsp.Registration] = []
        self._collect("test/told", self.told)
        self._collect("gateline/status", self.status)
        self._collect("gateline/checkpoint/detected", self.detected)
        self.loops: list[Any] = []
        self._collect("gateline/refine/progress", self.loops)
        client.protocol.fm.features.pop(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        self._collect(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, self.pushed)
        client.protocol.fm.features.pop(lsp.WORKSPACE_DIAGNOSTIC_REFRESH)
        self._on(lsp.WORKSPACE_DIAGNOSTIC_REFRESH, self._refreshed)
        self._on(lsp.CLIENT_REGISTER_CAPABILITY, self._registered)

    def _collect(self, method: str, into: list[Any]) -> None:
        self._on(method, into.append)

    def _on(self, method: str, call: Callable[[Any], None]) -> None:
        # pygls marks the function it is given, and methods cannot be marked.
        def received(params: Any) -> None:
            call(params)
            self._news.set()

        self.client.feature(method)(received)

    def _refreshed(self, _: None) -> None:
        self.refreshes += 1

    def _registered(self, params: lsp.RegistrationParams) -> None:
        self.registered += params.registrations

    def takes_edits(self, carry_out: Callable[[lsp.ApplyWorkspaceEditParams], Any]) -> None:
        """Every edit of the server is taken; what `carry_out` makes of it is in `applied`."""

        def apply(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
            self.applied.append(carry_out(params))
            return lsp.ApplyWorkspaceEditResult(applied=True)

        self.client.feature(lsp.WORKSPACE_APPLY_EDIT)(apply)

    async def start(
        self, capabilities: lsp.ClientCapabilities, *folders: Path, options: object = None
    ) -> Any:
        roots = folders or (self.root,)
        return await self.client.initialize_session(
            lsp.InitializeParams(
                capabilities=capabilities,
                workspace_folders=[lsp.WorkspaceFolder(f.as_uri(), f.name) for f in roots],
                initialization_options=options,  # type: ignore[arg-type]
            )
        )

    async def start_trusted(self, answer: str) -> None:
        """Start in a workspace that the person trusts, who gives this answer to each question."""

        async def say(_: lsp.ShowMessageRequestParams) -> Any:
            return lsp.MessageActionItem(answer)

        self.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)(say)
        await self.start(capable("visual-studio-code"), options={"trusted": True})

    # ---- documents

    def uri(self, path: str) -> str:
        return path if ":" in path else (self.root / path).as_uri()

    def open(self, path: str, text: str, version: int = 1, language: str = "python") -> str:
        item = lsp.TextDocumentItem(self.uri(path), language, version, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return item.uri

    def edit(self, uri: str, version: int, *changes: tuple[tuple[int, int, int, int] | None, str]) -> None:
        made: list[lsp.TextDocumentContentChangeEvent] = [
            lsp.TextDocumentContentChangeWholeDocument(text)
            if place is None
            else lsp.TextDocumentContentChangePartial(
                lsp.Range(lsp.Position(*place[:2]), lsp.Position(*place[2:])), text
            )
            for place, text in changes
        ]
        document = lsp.VersionedTextDocumentIdentifier(version, uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, made))

    def close(self, uri: str) -> None:
        document = lsp.TextDocumentIdentifier(uri)
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))

    def touched(self, *changes: tuple[str, lsp.FileChangeType]) -> None:
        events = [lsp.FileEvent(self.uri(path), kind) for path, kind in changes]
        self.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(events))

    def folders(
        self,
        *,
        added: list[lsp.WorkspaceFolder] | None = None,
        removed: list[lsp.WorkspaceFolder] | None = None,
    ) -> None:
        event = lsp.WorkspaceFoldersChangeEvent(added or [], removed or [])
        params = lsp.DidChangeWorkspaceFoldersParams(event)
        self.client.workspace_did_change_workspace_folders(params)

    # ---- what was said

    async def until(self, said: Callable[[], Any], patience: float = _PATIENCE) -> Any:
        """What `said` finds, as soon as it finds something; asked again after each message."""
        async with asyncio.timeout(patience):
            while not (found := said()):
                self._news.clear()
                await self._news.wait()
        return found

    async def shown(self, uri: str, *messages: str, version: int | None = None) -> list[lsp.Diagnostic]:
        """The document's diagnostics, once exactly these messages are shown (for this version)."""

        def now() -> list[lsp.PublishDiagnosticsParams]:
            newest = [p for p in self.pushed if p.uri == uri][-1:]
            fits = newest and [d.message for d in newest[0].diagnostics] == list(messages)
            return newest if fits and version in (None, newest[0].version) else []

        return list((await self.until(now))[0].diagnostics)

    async def heard(self, what: str, **more: object) -> Any:
        """The newest thing the scripted session was told that fits."""

        def now() -> Any:
            fits = [
                t for t in self.told if t.what == what and all(getattr(t, k) == v for k, v in more.items())
            ]
            return fits[-1] if fits else None

        return await self.until(now)

    async def ask(self, method: str, params: object, patience: float = _PATIENCE) -> Any:
        async with asyncio.timeout(patience):
            return await self.client.protocol.send_request_async(method, params)

    async def refused(self, method: str, params: object) -> JsonRpcException:
        """The error a request is answered with."""
        try:
            answer = await self.ask(method, params)
        except JsonRpcException as error:
            return error
        raise AssertionError(f"{method} was answered: {answer}")

    async def barrier(self) -> None:
        """Everything sent before this has been handled."""
        await self.ask("gateline/checkpoint/history", {})


async def attach(
    client: LanguageClient,
    root: Path,
    prepare: Callable[[Editor], None],
    recorded: str = "visual-studio-code",
) -> None:
    """Put an editor in front of a server that was started, and open a folder in it."""
    client.editor = Editor(client, root)
    prepare(client.editor)
    await client.editor.start(capable(recorded))
