"""An editor's side of a connection: what it says of itself, what it is asked, and what it draws."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from gateline_dev.bench.editor import CAPABILITIES, Answers, Json

_RESTS = 6
"""So often a server may do nothing before it has a status."""
PATIENCE = 240.0
"""Seconds until a request counts as never answered."""


class NoAnswerError(Exception):
    """A request was refused, or not answered."""


class Line(Protocol):
    """Carries messages to a server and back."""

    heard: Callable[[Json], None]
    gone: Callable[[], None]
    """Called when nothing more will be heard."""

    def send(self, message: Json) -> None:
        """To the server."""

    async def rest(self) -> None:
        """Until the server has nothing left to do."""

    async def end(self) -> None:
        """Until it is gone."""


class Client:
    """One server, and what is drawn of each document now."""

    def __init__(
        self, line: Line, root: Path, name: str = "Visual Studio Code", *, trusted: bool = False
    ) -> None:
        """`trusted`: the person may be asked to let tests run."""
        self.root = root
        self._options: Json = {"trusted": True} if trusted else {}
        self.drawn: dict[str, list[Json]] = {}
        """By URI: the diagnostics that were published last."""
        self.status: Json = {}
        self.trouble: list[str] = []
        """What popped up, or was logged as an error."""
        self.asked: Json | None = None
        """What was asked of the change last: it is still drawn, if the same is there; else None."""
        self.content: Callable[[], object] = object
        """What there is to be judged now: files, documents, and what they are compared with."""
        self.line = line
        self._name = name
        self._answers = Answers(root, {"gateline": {"trusted": trusted}})
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._asked_of: object = None
        self._number = 0
        line.heard, line.gone = self._heard, self.lost

    async def begin(self) -> None:
        """The handshake."""
        capabilities = {**CAPABILITIES, "textDocument": dict(CAPABILITIES["textDocument"])}
        del capabilities["textDocument"]["diagnostic"]  # pushed: what is drawn is what was sent last
        introduction = {
            "processId": os.getpid(),
            "clientInfo": {"name": self._name},
            "rootUri": self.root.as_uri(),
            "workspaceFolders": self._answers.folders,
            "initializationOptions": self._options,
            "capabilities": capabilities,
        }
        await self.ask("initialize", introduction)
        self.tell("initialized", {})

    def tell(self, method: str, params: Json) -> None:
        """Send a notification."""
        if self.asked is not None and self._takes_back(method):
            self.asked = None
        self.line.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def ask(self, method: str, params: Json | None) -> Any:
        """The result of a request. Raises NoAnswerError."""
        self._number += 1
        number = self._number
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        self.line.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        try:
            message = await asyncio.wait_for(answer, PATIENCE)
        except TimeoutError:
            raise NoAnswerError(f"{method}: no answer within {PATIENCE:g} s") from None
        if "error" in message:
            raise NoAnswerError(f"{method}: {message['error'].get('message')}")
        return message.get("result")

    async def evaluate(self, asked: Json) -> Json:
        """The verdict on the change that is asked for."""
        found = await self.ask("gateline/checkpoint/evaluate", asked)
        self.asked, self._asked_of = asked, self.content()
        return dict(found)

    def _takes_back(self, method: str) -> bool:
        """Whether what was asked for is not what would be said now: another text, another checkpoint."""
        is_early = self.asked is not None and self.asked["level"] == "early"
        of_later = is_early and method == "textDocument/didSave"
        return method == "textDocument/didChange" or of_later or self.content() != self._asked_of

    async def rest(self) -> None:
        """Until nothing more will be drawn: it said what it thinks of the change, and does nothing."""
        for _ in range(_RESTS):
            await self.line.rest()
            if self.status and not self.status.get("working"):
                return
        raise NoAnswerError("the status never came to rest")

    async def end(self) -> None:
        """Say goodbye, and wait until the server is gone."""
        try:
            await self.ask("shutdown", None)
            self.tell("exit", {})
        finally:
            await self.line.end()

    def lost(self) -> None:
        """The server is gone: nobody waits for it any more."""
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_result({"error": {"message": "the server ended"}})

    def _heard(self, message: Json) -> None:
        method, number = message.get("method"), message.get("id")
        if method is None:
            answer = self._waiting.pop(number, None) if isinstance(number, int) else None
            if answer is not None and not answer.done():
                answer.set_result(message)
        elif number is not None:
            said = self._answers.answer(method, message.get("params") or {})
            self.line.send({"jsonrpc": "2.0", "id": number, **said})
        else:
            self._told(method, message.get("params") or {})

    def _told(self, method: str, params: Json) -> None:
        if method == "textDocument/publishDiagnostics":
            self.drawn[params["uri"]] = params["diagnostics"]
        elif method == "gateline/status":
            self.status = params
        elif method == "window/showMessage":
            self.trouble.append(str(params.get("message")))
