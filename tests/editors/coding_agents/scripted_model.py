"""A model on loopback that follows a script, whatever it is told: real agents are driven with it, offline.

What an agent tells its model is all that a hook can reach the model by, so the transcript is written here.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple, Self


class Read(NamedTuple):
    """The model looks at a file."""

    path: str


class Write(NamedTuple):
    """The model gives a file a whole text."""

    path: str
    text: str


class Say(NamedTuple):
    """The model ends its turn with a sentence."""

    text: str


class Call(NamedTuple):
    """The model calls another tool of the agent's."""

    tool: str
    arguments: dict[str, Any]


Move = Read | Write | Say | Call


class Moved(NamedTuple):
    """A move that was made."""

    move: Move
    before: str
    """What the file held that it writes."""


class Told(NamedTuple):
    """Something that the model is told: `person` by the conversation, `tool` by what a tool came to."""

    who: str
    text: str


class Dialect(NamedTuple):
    """The API of one vendor, as far as a script needs it."""

    path: str
    """What the path of a request has in it that asks the model for a move."""
    is_turn: Callable[[dict[str, Any]], bool]
    """Whether the request is the conversation's: agents also ask for titles and summaries."""
    told: Callable[[dict[str, Any]], list[Told]]
    """All that the model was told in this conversation up to now."""
    events: Callable[[Move, int], list[dict[str, Any]]]
    """What is streamed for a move, told by its number."""


class ScriptedModel:
    """Serves one conversation, or several with one script; use as a context manager.

    `root` tells, when a move is made, where the agent works.
    """

    def __init__(self, dialect: Dialect, script: Sequence[Move], root: Callable[[], Path]) -> None:
        self.transcript: list[Told | Moved] = []
        """What it was told, and what it did, in turn."""
        self.asked_beyond = 0
        """Requests after the script's end."""
        self._dialect = dialect
        self._root = root
        self._script = list(script)
        self._known = 0
        self._moves = 0
        self._turn = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def is_done(self) -> bool:
        """Whether every move of the script was made."""
        return self._moves == len(self._script)

    def answer(self, path: str, request: dict[str, Any]) -> list[dict[str, Any]]:
        """The events of an answer; none for what is no turn of the conversation."""
        if self._dialect.path not in path or not self._dialect.is_turn(request):
            return []
        with self._turn:
            told = self._dialect.told(request)
            # Fewer than before: a conversation that begins.
            self.transcript += told[self._known if self._known <= len(told) else 0 :]
            self._known = len(told)
            if self.is_done:
                self.asked_beyond += 1
                return self._dialect.events(Say("There is nothing more in my script."), self._moves)
            move = self._script[self._moves]
            self._moves += 1
            file = self._root() / getattr(move, "path", "")
            self.transcript.append(Moved(move, file.read_text() if file.is_file() else ""))
            return self._dialect.events(move, self._moves)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                events = model.answer(self.path, json.loads(body or b"{}"))
                text = "".join(map(_event, events))
                data, mime = (text, "text/event-stream") if events else ("{}", "application/json")
                self.send_response(200)
                self.send_header("Content-Type", mime)
                self.send_header("Content-Length", str(len(data.encode())))
                self.end_headers()
                self.wfile.write(data.encode())

            def do_GET(self) -> None:
                self.do_POST()

            def do_HEAD(self) -> None:
                self.do_POST()

            def log_message(self, *_: object) -> None:
                """Nothing is printed."""

        return Handler


def _event(event: dict[str, Any]) -> str:
    """A server-sent event; those of Gemini have no names."""
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event)}\n\n"
