"""An endpoint that speaks OpenAI's API on loopback, and behaves as it is told."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

GOOD = "good"


class ModelStub(ThreadingHTTPServer):
    """Answers each request with the next of its deeds; the last one for all after it."""

    daemon_threads = True

    def __init__(self, deeds: Sequence[str], score: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.deeds = list(deeds)
        self.score = score
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.elsewhere = ""
        """Where `redirected` sends who asks."""
        self.closing = Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is meant."""


class _Handler(BaseHTTPRequestHandler):
    server: ModelStub

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append(asked)
        self.server.keys.append(self.headers.get("Authorization", ""))
        self.server.headers.append(dict(self.headers.items()))
        deeds = self.server.deeds
        deed = deeds.pop(0) if len(deeds) > 1 else deeds[0]
        getattr(self, f"_{deed}")(asked)

    def log_message(self, *_: object) -> None:
        pass

    def _said(self, text: str, kind: str = "application/json") -> None:
        message = {"role": "assistant", "content": text}
        body = {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "stub",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _answer(self, asked: dict[str, Any]) -> str:
        told = json.dumps(asked["messages"])
        names = (
            "requirement coverage",
            "edge cases",
            "naming",
            "error handling",
            "algorithm",
            "security review",
        )
        rows = [
            {
                "criterion": name,
                "score": self.server.score,
                "confidence": 0.8,
                "reasoning": "seen",
                "suggestions": [],
            }
            for name in names
            if name in told
        ]
        return json.dumps({"judgements": rows})

    def _good(self, asked: dict[str, Any]) -> None:
        self._said(self._answer(asked))

    def _fenced(self, asked: dict[str, Any]) -> None:
        self._said(f"Here it is:\n```json\n{self._answer(asked)}\n```\n")

    def _malformed(self, asked: dict[str, Any]) -> None:
        self._said('{"judgements": [{"criterion": "naming", "score": 7')

    def _out_of_range(self, asked: dict[str, Any]) -> None:
        self._said(self._answer(asked).replace(str(self.server.score), "7"))

    def _incomplete(self, asked: dict[str, Any]) -> None:
        self._said('{"judgements": []}')

    def _limited(self, asked: dict[str, Any]) -> None:
        self.send_error(429)

    def _broken(self, asked: dict[str, Any]) -> None:
        self.send_error(500)

    def _echoing(self, asked: dict[str, Any]) -> None:
        """An error that repeats what it was sent, as some gateways do."""
        data = json.dumps({"error": {"message": f"no such key: {dict(self.headers.items())}"}}).encode()
        self.send_response(401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _redirected(self, asked: dict[str, Any]) -> None:
        self.send_response(307)
        self.send_header("Location", f"{self.server.elsewhere}/chat/completions")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _slow(self, asked: dict[str, Any]) -> None:
        self.server.closing.wait(60)

    def _cut(self, asked: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "5000")
        self.end_headers()
        self.wfile.write(b'{"id": "1", "cho')
        self.wfile.flush()
        self.connection.close()

    def _endless(self, asked: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"id": "')
        while not self.server.closing.is_set():
            self.wfile.write(b"1" * 1000)
            self.wfile.flush()
            time.sleep(0.01)

    def _html(self, asked: dict[str, Any]) -> None:
        data = b"<html><body>Sign in</body></html>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def stub(*deeds: str, score: float = 0.75) -> Iterator[ModelStub]:
    """A server that is there for a while."""
    server = ModelStub(deeds or (GOOD,), score)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
