"""The measuring editor's own text, and which drawing answers an edit."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline_dev.bench.client import Reply, frame, messages
from gateline_dev.bench.document import Buffer, OpenDocument, Place, utf16_length
from gateline_dev.bench.editor import Answers, Json
from support.python_texts import QUICK

FILE = Path("/project/a.py")
TEXTS = st.text(st.sampled_from("ab é\n\U0001d4d0"), max_size=20)
WRONG, RIGHT = [{"message": "wrong"}], [{"message": "right"}]


def right(diagnostics: object) -> bool:
    return diagnostics == RIGHT


# Text


def utf16(text: str, position: Json) -> int:
    """A position of the protocol as an index, found by walking."""
    start = sum(len(line) + 1 for line in text.split("\n")[: position["line"]])
    units = 0
    for index, char in enumerate(text[start:]):
        if units == position["character"]:
            return start + index
        units += utf16_length(char)
    return len(text)


@QUICK
@given(st.data(), TEXTS, TEXTS)
def test_what_is_sent_makes_the_text_that_the_editor_has(data: st.DataObject, text: str, new: str) -> None:
    buffer = Buffer.of(FILE, text)
    first, last = sorted((place(data, text), place(data, text)))
    sent = buffer.replace(first, last, new)
    (change,) = sent["contentChanges"]
    start, end = (utf16(text, change["range"][side]) for side in ("start", "end"))
    assert text[:start] + change["text"] + text[end:] == buffer.text
    assert sent["textDocument"]["version"] == buffer.version == 2


@QUICK
@given(st.data(), TEXTS, TEXTS)
def test_a_server_that_takes_whole_texts_gets_them(data: st.DataObject, text: str, new: str) -> None:
    whole, partial = Buffer.of(FILE, text, incremental=False), Buffer.of(FILE, text)
    at = place(data, text)
    partial.replace(at, at, new)
    assert whole.replace(at, at, new)["contentChanges"] == [{"text": partial.text}]


def place(data: st.DataObject, text: str) -> Place:
    lines = text.split("\n")
    line = data.draw(st.integers(0, len(lines) - 1))
    return line, data.draw(st.integers(0, len(lines[line])))


@pytest.mark.parametrize("text", ["", "a", "é", "\U0001d4d0", "a\U0001d4d0é\U0001d4d0"])
def test_lengths_are_those_of_utf16(text: str) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le")) // 2


# Drawings


class Server:
    """Takes what is sent, and answers pulls when a test says so."""

    def __init__(self, *, pulls: bool = False, saves: Json | None = None) -> None:
        self.capabilities: Json = {"textDocumentSync": {"change": 2, "save": saves or False}}
        self.pull_options = {"identifier": "own"} if pulls else None
        self.alive = True
        self.answers = Answers(Path("/project"), {})
        self.sent: list[tuple[str, Json]] = []
        self.asked: list[tuple[Json, asyncio.Future[Reply]]] = []

    def notify(self, method: str, params: Json) -> None:
        self.sent.append((method, params))

    def send_request(self, method: str, params: Json) -> tuple[int, asyncio.Future[Reply]]:
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.asked.append((params, answer))
        return len(self.asked), answer

    def answer(self, number: int, result: Json | None, code: int = 0) -> None:
        error = {"code": code} if code else None
        self.asked[number - 1][1].set_result(Reply(perf_counter(), result, error))

    @property
    def methods(self) -> list[str]:
        return [method.partition("/")[2] for method, _ in self.sent]


def opened(server: Server, file: Path = FILE) -> OpenDocument:
    document = OpenDocument(server, Buffer.of(file, "x = 1\n"))  # type: ignore[arg-type]
    document.begin()
    return document


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_only_a_drawing_after_the_edit_answers_it() -> None:
    document = opened(Server())
    document.pushed(RIGHT, 1, perf_counter())
    sent = document.change((0, 0), (0, 0), "y")
    assert await document.until(right, sent, timeout=0.01) is None
    document.pushed(WRONG, 2, sent.at + 0.1)
    document.pushed(RIGHT, 2, sent.at + 0.25)
    document.pushed(WRONG, 2, sent.at + 0.3)
    assert await document.until(right, sent, timeout=1) == pytest.approx(0.25)


async def test_what_is_said_of_an_older_version_answers_nothing() -> None:
    document = opened(Server())
    sent = document.change((0, 0), (0, 0), "y")
    document.pushed(RIGHT, 1, sent.at + 0.1)
    assert await document.until(right, sent, timeout=0.01) is None
    document.pushed(RIGHT, None, sent.at + 0.2)
    assert await document.until(right, sent, timeout=1) == pytest.approx(0.2)


async def test_who_waits_is_woken_by_the_answer_and_by_the_end() -> None:
    server = Server()
    document = opened(server)
    sent = document.change((0, 0), (0, 0), "y")
    waiting = asyncio.ensure_future(document.until(right, sent, timeout=60))
    await settle()
    document.pushed(RIGHT, 2, sent.at + 0.1)
    assert await waiting == pytest.approx(0.1)
    waiting = asyncio.ensure_future(document.until(lambda _: False, sent, timeout=60))
    await settle()
    server.alive = False
    document.wake()
    assert await waiting is None


async def test_pushed_and_pulled_are_drawn_together() -> None:
    server = Server(pulls=True)
    document = opened(server)
    await settle()
    document.pushed(WRONG, 1, perf_counter())
    server.answer(1, {"kind": "full", "items": RIGHT, "resultId": "one"})
    await settle()
    assert document.shown == [*WRONG, *RIGHT]
    document.change((0, 0), (0, 0), "y")
    await settle()
    assert server.asked[1][0] == {
        "textDocument": {"uri": FILE.as_uri()},
        "identifier": "own",
        "previousResultId": "one",
    }
    server.answer(2, {"kind": "unchanged", "resultId": "one"})
    await settle()
    assert document.shown == [*WRONG, *RIGHT]
    assert [drawn.version for drawn in document.drawn] == [1, 1, 2]


async def test_a_question_about_an_older_text_is_taken_back_and_asked_again() -> None:
    server = Server(pulls=True)
    document = opened(server)
    await settle()
    sent = document.change((0, 0), (0, 0), "y")
    document.change((0, 0), (0, 0), "z")
    assert server.methods.count("cancelRequest") == 1
    server.answer(1, {"items": WRONG})
    await settle()
    assert len(server.asked) == 2
    server.answer(2, {"items": RIGHT})
    await settle()
    assert [(d.version, list(d.diagnostics)) for d in document.drawn] == [(1, WRONG), (3, RIGHT)]
    assert await document.until(right, sent, timeout=1) is not None


@pytest.mark.parametrize(("code", "again"), [(-32802, 2), (-32801, 2), (-32603, 1)])
async def test_a_server_that_says_so_is_asked_again(code: int, again: int) -> None:
    server = Server(pulls=True)
    opened(server)
    await settle()
    server.answer(1, None, code)
    await settle()
    assert len(server.asked) == again


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    made = tmp_path / "a.py"
    made.write_text("x = 1\n")
    yield made
    assert made.read_text() == "yx = 1\n"


@pytest.mark.parametrize(("saves", "text"), [({"includeText": True}, "yx = 1\n"), ({}, None), (None, None)])
async def test_saving_writes_the_file_and_says_so(file: Path, saves: Json | None, text: str | None) -> None:
    server = Server(saves=saves)
    document = opened(server, file)
    document.change((0, 0), (0, 0), "y")
    document.save()
    ((_, params),) = [said for said in server.sent if said[0] == "textDocument/didSave"]
    assert params.get("text") == text
    assert "didChangeWatchedFiles" not in server.methods


async def test_a_server_that_watches_files_hears_of_a_save(file: Path) -> None:
    server = Server()
    server.answers.answer(
        "client/registerCapability", {"registrations": [{"method": "workspace/didChangeWatchedFiles"}]}
    )
    document = opened(server, file)
    document.change((0, 0), (0, 0), "y")
    document.save()
    assert server.methods[-1] == "didChangeWatchedFiles"


# Requests of the server


@pytest.mark.parametrize(
    ("method", "params", "answer"),
    [
        ("workspace/configuration", {"items": [{"section": "a.b"}, {"section": "a.c"}, {}]}, [1, None]),
        ("workspace/applyEdit", {}, {"applied": False}),
        ("window/workDoneProgress/create", {}, None),
        ("workspace/diagnostic/refresh", {}, None),
    ],
)
def test_requests_of_servers_are_answered(method: str, params: Json, answer: object) -> None:
    settings = {"a": {"b": 1}}
    said = Answers(Path("/project"), settings).answer(method, params)
    assert said == {"result": [*answer, settings] if isinstance(answer, list) else answer}


def test_a_request_nobody_knows_is_refused() -> None:
    assert (
        "experimental/dance" in Answers(Path("/p"), {}).answer("experimental/dance", {})["error"]["message"]
    )


async def test_messages_are_framed_as_they_are_read() -> None:
    stream = asyncio.StreamReader()
    said = [{"method": "é"}, {"id": 1, "result": "x" * 5000}]
    stream.feed_data(b"".join(map(frame, said)))
    stream.feed_eof()
    read = [message async for message, _ in messages(stream)]
    assert read == [{"jsonrpc": "2.0", **message} for message in said]


async def test_a_head_without_a_length_is_nonsense() -> None:
    stream = asyncio.StreamReader()
    stream.feed_data(b"Content-Type: text\r\n\r\n{}")
    with pytest.raises(ValueError, match="Content-Length"):
        [message async for message in messages(stream)]
