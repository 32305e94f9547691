"""A document that is open in the editor, with what the server has drawn in it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from gateline_dev.bench.editor import Json, wants_text
from gateline_dev.bench.probes import Predicate, anything

if TYPE_CHECKING:
    from gateline_dev.bench.client import Client, Reply

Place = tuple[int, int]
"""Line and code-point column, both from 0."""


@dataclass
class Buffer:
    """A document's text by lines, with the version that rises at every edit."""

    path: Path
    lines: list[str]
    version: int = 1
    incremental: bool = True
    uri: str = field(init=False)

    def __post_init__(self) -> None:
        self.uri = self.path.as_uri()

    @classmethod
    def of(cls, path: Path, text: str, *, incremental: bool = True) -> Buffer:
        """A buffer with this text."""
        return cls(path, text.split("\n"), incremental=incremental)

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.lines)

    def replace(self, start: Place, end: Place, new: str) -> Json:
        """Put `new` in place of what is from `start` to `end`; gives the params of `didChange`."""
        span = {"start": self._position(start), "end": self._position(end)}
        before, after = self.lines[start[0]][: start[1]], self.lines[end[0]][end[1] :]
        self.lines[start[0] : end[0] + 1] = f"{before}{new}{after}".split("\n")
        self.version += 1
        change = {"range": span, "text": new} if self.incremental else {"text": self.text}
        return {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [change]}

    def _position(self, place: Place) -> Json:
        before = self.lines[place[0]][: place[1]]
        return {"line": place[0], "character": utf16_length(before)}


def utf16_length(text: str) -> int:
    """Length in UTF-16 code units: the protocol counts columns in them unless agreed otherwise."""
    return len(text) + sum(char > "\uffff" for char in text)


_ASK_AGAIN = (-32801, -32802)
"""Error codes: the content was modified; the server cancelled."""


@dataclass(frozen=True)
class Drawn:
    """What the editor shows from a moment on."""

    at: float
    version: int | None
    """Of the document it was said about; None when the server does not tell."""
    diagnostics: Sequence[Json]


@dataclass(frozen=True)
class Sent:
    """A moment from which an answer is awaited."""

    at: float
    seen: int
    """How many drawings there were; only later ones can answer."""


class OpenDocument:
    """Edits go to the server at once; diagnostics are pushed, or pulled after every edit, or both."""

    def __init__(self, client: Client, buffer: Buffer) -> None:
        self.client, self.buffer = client, buffer
        self.drawn: list[Drawn] = []
        self._pushed: Sequence[Json] = ()
        self._pulled: Sequence[Json] = ()
        self._result_id: str | None = None
        self._pulling: asyncio.Task[None] | None = None
        self._pull_number: int | None = None
        self._pull_again = False
        self._news = asyncio.Event()
        self.opened = Sent(perf_counter(), 0)

    @property
    def shown(self) -> Sequence[Json]:
        """The diagnostics that the editor shows now."""
        return self.drawn[-1].diagnostics if self.drawn else ()

    def begin(self) -> None:
        """Tell the server of the document."""
        text = {"uri": self.buffer.uri, "version": self.buffer.version, "text": self.buffer.text}
        self.opened = self._now()
        self.client.notify("textDocument/didOpen", {"textDocument": {"languageId": "python", **text}})
        self.pull()

    def change(self, start: Place, end: Place, new: str) -> Sent:
        """Type: put `new` in place of what is from `start` to `end`."""
        params = self.buffer.replace(start, end, new)
        sent = self._now()
        self.client.notify("textDocument/didChange", params)
        self.pull()
        return sent

    def save(self) -> Sent:
        """Write the text to disk and say so."""
        text = self.buffer.text
        self.buffer.path.write_text(text, encoding="utf-8")
        with_text = {"text": text} if wants_text(self.client.capabilities) else {}
        sent = self._now()
        self.client.notify("textDocument/didSave", {"textDocument": {"uri": self.buffer.uri}, **with_text})
        if "workspace/didChangeWatchedFiles" in self.client.answers.registered:
            changes = [{"uri": self.buffer.uri, "type": 2}]
            self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        self.pull()
        return sent

    def pushed(self, diagnostics: Sequence[Json], version: int | None, at: float) -> None:
        """The server published."""
        self._pushed = diagnostics
        self._draw(at, version)

    def pull(self) -> None:
        """Ask, when the server wants to be asked; a question about an older text is taken back."""
        if self.client.pull_options is None:
            return
        if not self._asking:
            self._pulling = asyncio.create_task(self._pull())
        elif not self._pull_again:
            self._pull_again = True
            self.client.notify("$/cancelRequest", {"id": self._pull_number})

    async def _pull(self) -> None:
        again = True
        while again and self.client.alive:
            self._pull_again, version = False, self.buffer.version
            self._pull_number, answer = self.client.send_request("textDocument/diagnostic", self._question())
            again = self._take(await answer, version) or self._pull_again

    def _question(self) -> Json:
        params: Json = {"textDocument": {"uri": self.buffer.uri}}
        if identifier := (self.client.pull_options or {}).get("identifier"):
            params["identifier"] = identifier
        if self._result_id is not None:
            params["previousResultId"] = self._result_id
        return params

    def _take(self, reply: Reply, version: int) -> bool:
        """Draw what was answered; whether to ask again."""
        if reply.result is None:
            return (reply.error or {}).get("code") in _ASK_AGAIN
        self._result_id = reply.result.get("resultId")
        if reply.result.get("kind") != "unchanged":
            self._pulled = reply.result["items"]
        self._draw(reply.at, version)
        return False

    def _draw(self, at: float, version: int | None) -> None:
        self.drawn.append(Drawn(at, version, [*self._pushed, *self._pulled]))
        self.wake()

    def wake(self) -> None:
        """Let those who wait look again."""
        self._news.set()

    async def until(self, wanted: Predicate, sent: Sent, timeout: float) -> float | None:
        """Seconds from `sent` to the first fresh drawing that is as `wanted`; None when it does not come."""
        seen, deadline = sent.seen, sent.at + timeout
        while True:
            for drawn in self.drawn[seen:]:
                if not self._stale(drawn) and wanted(drawn.diagnostics):
                    return max(0.0, drawn.at - sent.at)
            seen = len(self.drawn)
            if perf_counter() > deadline or not self.client.alive:
                return None
            await self._next(deadline)

    async def quiet(self, sent: Sent, silence: float, timeout: float) -> float | None:
        """Seconds to the last drawing before `silence` seconds without one; None when none came."""
        if await self.until(anything, sent, timeout) is None:
            return None
        deadline = sent.at + timeout
        while perf_counter() < deadline and (self._asking or perf_counter() < self.drawn[-1].at + silence):
            await asyncio.sleep(0.02)
        return self.drawn[-1].at - sent.at

    @property
    def _asking(self) -> bool:
        return self._pulling is not None and not self._pulling.done()

    def _stale(self, drawn: Drawn) -> bool:
        return drawn.version is not None and drawn.version < self.buffer.version

    async def _next(self, deadline: float) -> None:
        self._news.clear()
        try:
            await asyncio.wait_for(self._news.wait(), max(0.001, deadline - perf_counter()))
        except TimeoutError:
            return

    def _now(self) -> Sent:
        return Sent(perf_counter(), len(self.drawn))
