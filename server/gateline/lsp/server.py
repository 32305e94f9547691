"""The language server: what it knows, and what runs beside it.

Until `initialize` is answered nothing is imported that the answer does not need; the session, with
all its tools, comes in a thread after that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any
from typing import Protocol as Shape
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from gateline import __version__
from gateline.lsp import client_process, collecting, handlers
from gateline.lsp.buffer import Buffer
from gateline.lsp.client import Client
from gateline.lsp.closed import ClosedFiles
from gateline.lsp.convert import Encoding, encoding_of
from gateline.lsp.diagnostics import Drawing
from gateline.lsp.door.doors import Doors
from gateline.lsp.drawn import Sayings
from gateline.lsp.folders import Folder, Folders
from gateline.lsp.options import ClientOptions
from gateline.lsp.protocol import Protocol, converter
from gateline.lsp.publish import Publisher

if TYPE_CHECKING:
    from gateline.session.session import Session

log = logging.getLogger(__name__)

_UNSEEN = (
    "The process that `initialize` names cannot be seen from here (another container or machine?): "
    "gateline ends when the connection does."
)


class Sessions(Shape):
    """Where sessions come from; imported after `initialize` is answered."""

    def open(self, server: Server, folder: Folder) -> Session:
        """A session for a folder, not started yet."""

    def find_root(self, file: Path) -> Path | None:
        """The root of the project a file belongs to; None when it belongs to none."""


class Server(LanguageServer):
    """One client, its documents, and a session for each of its folders."""

    protocol: Protocol

    def __init__(self, load: Callable[[], Awaitable[Sessions]] | None = None) -> None:
        super().__init__("gateline", __version__, protocol_cls=Protocol, converter_factory=converter)
        self.client = Client()
        self.given = ClientOptions()
        """What came with `initialize`; the client's settings lie over it."""
        self.folders = Folders(self._find_root)
        self.closed = ClosedFiles()
        self._sayings = Sayings(self.protocol.unstructure)
        self.publisher = Publisher(self.refresh)
        self.configured = asyncio.Event()
        """Set when the client has said what holds for each folder, or has none to say."""
        self.ready = asyncio.Event()
        self.gone = asyncio.Event()
        """Set when the client's process has ended, whatever became of the connection."""
        self.heard = Event()
        """Set by the first message after `initialize`."""
        self.rearranging = asyncio.Lock()
        """Held while folders come and go."""
        self.exit_code = 1
        """Until the client says `shutdown` and `exit`."""
        self.doors = Doors(self)
        """Where programs of the user ask about its folders."""
        self.sessions: Sessions | None = None
        self._load = load or _real_sessions
        self._loading: asyncio.Future[Sessions] | None = None
        self._stopping = Event()
        self._refreshing = self._refresh_again = False
        self._tasks: set[asyncio.Task[None]] = set()
        handlers.register(self)

    # ---- what is known

    @property
    def encoding(self) -> Encoding:
        """What the client's columns count."""
        return encoding_of(self.workspace.position_encoding)

    def buffer(self, uri: str) -> Buffer | None:
        """An open document."""
        document = self.workspace.text_documents.get(unquote(uri))
        return document if isinstance(document, Buffer) else None

    def buffers(self) -> tuple[Buffer, ...]:
        """All open documents."""
        return tuple(d for d in self.workspace.text_documents.values() if isinstance(d, Buffer))

    def drawing(self, folder: Folder) -> Drawing:
        """How findings of a folder are drawn."""

        def lines(path: str) -> Sequence[str]:
            buffer = self.buffer(folder.uri_of(path))
            if buffer is None:
                return self.closed.lines(folder.root / path)
            # Of plain ASCII no line need be looked at.
            return buffer.lines if not buffer.text.isascii() else ()

        return Drawing(self.client, self._sayings, self.encoding, lines, folder.uri_of)

    def _find_root(self, file: Path) -> Path | None:
        return self.sessions.find_root(file) if self.sessions else None

    # ---- what is told

    def clear(self, uri: str) -> None:
        """Take back what is drawn of a document that is closed, gone, or nobody's any more."""
        if self.publisher.clear(uri):
            self.protocol.publish(uri, None, ())

    def tell_log(self, text: str, kind: lsp.MessageType = lsp.MessageType.Warning) -> None:
        """A line in the client's log; nothing pops up."""
        self.window_log_message(lsp.LogMessageParams(kind, text))

    def _tell_unseen(self) -> None:
        self.tell_log(_UNSEEN, lsp.MessageType.Info)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log only: a pop-up disturbs, and reporting a failed write by another write never ends."""
        log.error("%s: %s", getattr(source, "__name__", source), error)

    # ---- what runs beside

    def load(self) -> asyncio.Future[Sessions]:
        """Begin to import what sessions are made of, once; where they come from, when that is done."""
        if self._loading is None:
            self._loading = asyncio.ensure_future(self._load())
        return self._loading

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Run something nobody waits for; its failure is logged."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("in the background", exc_info=error)

    def refresh(self) -> None:
        """Ask the client to pull again; one question at a time, and one more when it was asked since."""
        if not self.client.refresh:
            return
        self._refresh_again = self._refreshing
        if not self._refreshing:
            self._refreshing = True
            self.spawn(self._ask_to_pull())

    async def _ask_to_pull(self) -> None:
        try:
            await self.workspace_diagnostic_refresh_async(None)
        finally:
            self._refreshing = False
        if self._refresh_again:
            self.refresh()

    # ---- life

    def watch(self, pid: int) -> None:
        """Watch the client's process from now on."""
        call = asyncio.get_running_loop().call_soon_threadsafe
        client_process.watch(pid, self.heard, partial(call, self.gone.set), partial(call, self._tell_unseen))

    @property
    def stopping(self) -> Event:
        """Set when the message loop must end."""
        return self._stopping

    def leave(self, code: int) -> None:
        """End the message loop after this message."""
        self.exit_code = code
        self._stopping.set()

    async def stop(self) -> None:
        """End all sessions and what runs beside them."""
        from gateline.services import spawning

        for task in self._tasks:
            task.cancel()
        stopping = [
            spawning.end(),
            self.doors.close(),
            *(f.session.stop() for f in self.folders if f.session),
        ]
        for folder in self.folders:
            folder.session = None
        for result in await asyncio.gather(*stopping, return_exceptions=True):
            if isinstance(result, Exception):
                log.error("while stopping", exc_info=result)


async def _real_sessions() -> Sessions:
    """What comes with sessions takes a while."""
    return await asyncio.to_thread(_imported)


def _imported() -> Sessions:
    from gateline.lsp import sessions

    collecting.rest()
    return sessions
