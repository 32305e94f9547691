"""An editor's side of the connection to one server process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from gateline_dev.bench.document import Buffer, OpenDocument
from gateline_dev.bench.editor import CAPABILITIES, Answers, Json, incremental
from gateline_dev.bench.processes import MARK, Tree

LIMIT = 1 << 24
"""Bytes kept while we are busy; a large message must not wait for us."""


class ServerFailedError(Exception):
    """The server ended, or did not answer in time."""


class Launch(Protocol):
    """How to start a server."""

    @property
    def command(self) -> list[str]:
        """Program and arguments."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Laid over ours."""

    @property
    def root(self) -> Path:
        """The workspace."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What the editor is configured with for this server."""


@dataclass
class Reply:
    """A response and when it came."""

    at: float
    result: Any
    error: Json | None


@dataclass
class Client:
    """One server, from spawning to killing. Use `start`."""

    launch: Launch
    process: asyncio.subprocess.Process
    tree: Tree
    spawned: float
    answers: Answers
    capabilities: Json = field(default_factory=dict)
    version: str = ""
    """What the server says it is."""
    documents: dict[str, OpenDocument] = field(default_factory=dict)
    _waiting: dict[int, asyncio.Future[Reply]] = field(default_factory=dict)
    _number: int = 0
    _reader: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, launch: Launch) -> Client:
        """Spawn the server. Raises OSError when it cannot be."""
        mark, pipe = uuid.uuid4().hex, asyncio.subprocess.PIPE
        spawned = perf_counter()
        process = await asyncio.create_subprocess_exec(
            *launch.command,
            cwd=launch.root,
            env={**os.environ, **launch.environment, MARK: mark},
            stdin=pipe,
            stdout=pipe,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LIMIT,
        )
        answers = Answers(launch.root, launch.settings)
        client = cls(launch, process, Tree(mark, process.pid), spawned, answers)
        client._reader = asyncio.create_task(client._read())
        return client

    async def initialize(self) -> float:
        """The handshake; gives the seconds from spawning to the answer."""
        reply = await self.request("initialize", self._introduction(), timeout=60)
        self.capabilities = reply.result["capabilities"]
        info = reply.result.get("serverInfo") or {}
        self.version = str(info.get("version", ""))
        self.notify("initialized", {})
        if self.launch.settings:
            self.notify("workspace/didChangeConfiguration", {"settings": self.launch.settings})
        return reply.at - self.spawned

    def _introduction(self) -> Json:
        root = self.launch.root
        return {
            "processId": os.getpid(),
            "clientInfo": {"name": "Visual Studio Code"},
            "rootUri": root.as_uri(),
            "rootPath": str(root),
            "workspaceFolders": self.answers.folders,
            "initializationOptions": {},
            "capabilities": CAPABILITIES,
        }

    def open(self, path: Path, text: str) -> OpenDocument:
        """Show a document, which may differ from what is on disk."""
        buffer = Buffer.of(path, text, incremental=incremental(self.capabilities))
        document = OpenDocument(self, buffer)
        self.documents[buffer.uri] = document
        document.begin()
        return document

    @property
    def pull_options(self) -> Json | None:
        """How diagnostics are asked for; None when the server pushes them."""
        given = self.capabilities.get("diagnosticProvider")
        return given or self.answers.registered.get("textDocument/diagnostic")

    @property
    def alive(self) -> bool:
        """Whether the server still runs."""
        return self.process.returncode is None

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def send_request(self, method: str, params: Json | None) -> tuple[int, asyncio.Future[Reply]]:
        """Send a request; gives its number and what its answer will be put into."""
        self._number += 1
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[self._number] = answer
        content = {} if params is None else {"params": params}
        self._send({"id": self._number, "method": method, **content})
        return self._number, answer

    async def request(self, method: str, params: Json | None, timeout: float) -> Reply:
        """Send a request and wait. Raises ServerFailedError for an error, an end, or no answer."""
        _, answer = self.send_request(method, params)
        try:
            reply = await asyncio.wait_for(answer, timeout)
        except TimeoutError:
            raise ServerFailedError(f"{method}: no answer within {timeout:g} s") from None
        if reply.error is not None:
            raise ServerFailedError(f"{method}: {reply.error.get('message')}")
        return reply

    async def close(self) -> None:
        """Ask it to end, and see to it."""
        with contextlib.suppress(ServerFailedError, TimeoutError):
            await self.request("shutdown", None, timeout=5)
            self.notify("exit", {})
            await asyncio.wait_for(self.process.wait(), 5)
        self.tree.end()
        await self.process.wait()
        if self._reader is not None:
            await asyncio.wait([self._reader])

    def _send(self, message: Json) -> None:
        assert self.process.stdin is not None
        if not self.process.stdin.is_closing():
            self.process.stdin.write(frame(message))

    async def _read(self) -> None:
        assert self.process.stdout is not None
        try:
            async for message, at in messages(self.process.stdout):
                self._dispatch(message, at)
        except (asyncio.IncompleteReadError, ValueError, OSError):
            pass  # The server is gone or speaks nonsense: told to everyone who waits.
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_result(Reply(perf_counter(), None, {"message": "the server ended"}))
        for document in self.documents.values():
            document.wake()

    def _dispatch(self, message: Json, at: float) -> None:
        method, number = message.get("method"), message.get("id")
        if method is None:
            self._answered(message, at)
        elif number is not None:
            self._send({"id": number, **self.answers.answer(method, message.get("params") or {})})
            self._asked(method)
        elif method == "textDocument/publishDiagnostics":
            self._published(message["params"], at)

    def _answered(self, message: Json, at: float) -> None:
        answer = self._waiting.pop(message.get("id", 0), None)
        if answer is not None and not answer.done():
            answer.set_result(Reply(at, message.get("result"), message.get("error")))

    def _asked(self, method: str) -> None:
        if method in ("workspace/diagnostic/refresh", "client/registerCapability"):
            for document in self.documents.values():
                document.pull()

    def _published(self, params: Json, at: float) -> None:
        document = self.documents.get(params["uri"].replace("%3A", ":"))
        if document is not None:
            document.pushed(params["diagnostics"], params.get("version"), at)


def frame(message: Json) -> bytes:
    """The message as it is sent."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


async def messages(stream: asyncio.StreamReader) -> AsyncIterator[tuple[Json, float]]:
    """What arrives, with the moment it was complete, until the other side closes."""
    while (length := await _length(stream)) is not None:
        body = await stream.readexactly(length)
        yield json.loads(body), perf_counter()


async def _length(stream: asyncio.StreamReader) -> int | None:
    """Of the next message; None at the end. Raises ValueError when a head does not tell it."""
    length = None
    while line := (await stream.readline()).strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if length is None and not stream.at_eof():
        raise ValueError("a message without Content-Length")
    return length
