"""The ways to reach a session. A stand-in takes the place of both ends of a pipe, which only Windows has."""

from __future__ import annotations

import asyncio
import multiprocessing.connection
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gateline.lsp.door import listener as listening
from gateline.lsp.door.listener import Listener
from gateline.resident import connection, registration
from gateline.resident.connection import Connection, GoneError, LateError, RefusedError, connect
from gateline.resident.registration import EDITOR, registrations
from gateline.resident.transport import named_pipe, transport, unix_socket


class PipeEnd:
    """A client's end, as `multiprocessing.connection.PipeConnection` is used."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end

    def poll(self, seconds: float) -> bool:
        return bool(select.select([self._end], [], [], seconds)[0])

    def recv_bytes(self) -> bytes:
        if not (data := self._end.recv(1 << 16)):
            raise EOFError
        return data

    def send_bytes(self, data: bytes) -> None:
        self._end.sendall(data)

    def close(self) -> None:
        self._end.close()


class Pipes:
    """The system's pipes by name, with the process that serves each."""

    def __init__(self) -> None:
        self.served: dict[str, tuple[asyncio.AbstractEventLoop, Any]] = {}
        self.server = os.getpid()

    async def serve(self, factory: Callable[[], Any], address: str) -> list[Any]:
        """As the proactor's `start_serving_pipe`."""
        self.served[address] = asyncio.get_running_loop(), factory
        pipes = self

        class Server:
            def close(self) -> None:
                del pipes.served[address]

        return [Server()]

    def open(self, address: str, family: str) -> PipeEnd:
        """As `multiprocessing.connection.Client`."""
        assert family == "AF_PIPE"
        if address not in self.served:
            raise FileNotFoundError(2, "The system cannot find the file specified", address)
        loop, factory = self.served[address]
        ours, theirs = socket.socketpair()
        asyncio.run_coroutine_threadsafe(loop.connect_accepted_socket(factory, theirs), loop).result(5)
        return PipeEnd(ours)


@pytest.fixture
def pipes(monkeypatch: pytest.MonkeyPatch) -> Pipes:
    """A machine whose sessions are reached by pipes."""
    made = Pipes()
    for module in (connection, registration, listening):
        monkeypatch.setattr(module, "transport", lambda: named_pipe)
    monkeypatch.setattr(multiprocessing.connection, "Client", made.open)
    monkeypatch.setattr(named_pipe, "_server_of", lambda _: made.server)
    return made


async def answer(method: str, params: object) -> dict[str, Any]:
    if method == "gateline/slow":
        await asyncio.Event().wait()
    return {"method": method, "params": params}


@pytest.fixture
def session(pipes: Pipes, tmp_path: Path) -> Iterator[Callable[[], None]]:
    """A session that listens in a loop of its own; what ends it."""
    ready, over = threading.Event(), threading.Event()

    async def serve() -> None:
        loop: Any = asyncio.get_running_loop()
        loop.start_serving_pipe = pipes.serve
        door = Listener(tmp_path, EDITOR, answer)
        await door.open()
        assert door.is_registered
        ready.set()
        await asyncio.to_thread(over.wait)
        await door.close()

    thread = threading.Thread(target=asyncio.run, args=(serve(),))
    thread.start()
    assert ready.wait(10)

    def end() -> None:
        over.set()
        thread.join(10)

    yield end
    end()


def test_windows_has_named_pipes_and_all_others_have_sockets() -> None:
    assert transport("win32") is named_pipe
    assert {transport(platform) for platform in ("linux", "darwin", "freebsd14")} == {unix_socket}


def test_the_name_of_a_pipe_cannot_be_guessed_and_a_socket_is_in_the_users_folder() -> None:
    first, second = (named_pipe.address(r"C:\Users\me", "engine-12") for _ in range(2))
    assert first != second
    prefix, _, name = first.partition("engine-12-")
    assert (prefix, len(name)) == ("\\\\.\\pipe\\gateline-", 32)
    assert unix_socket.address("/run/me", "engine-12") == "/run/me/engine-12.sock"


@pytest.mark.usefixtures("session")
def test_a_session_is_asked_over_a_pipe(tmp_path: Path) -> None:
    much = "x" * 1_000_000
    with connect(str(tmp_path), start=False) as found:
        assert found.registration.address.startswith(named_pipe._PREFIX)
        for number, text in enumerate(("little", much)):
            asked = {"number": number, "text": text}
            assert found.ask("gateline/check", asked, 10) == {"method": "gateline/check", "params": asked}


@pytest.mark.usefixtures("session")
def test_who_does_not_say_the_token_is_not_answered(tmp_path: Path) -> None:
    [written] = registrations(str(tmp_path))
    channel = named_pipe.connect(written.address, written.pid, 5)
    with Connection(channel, written) as stranger, pytest.raises(RefusedError, match="not that of"):
        stranger.ask(connection.OPEN, {"token": "guessed"}, 5)


def test_a_session_that_ended_is_gone_and_forgotten(
    tmp_path: Path, pipes: Pipes, session: Callable[[], None]
) -> None:
    [written] = registrations(str(tmp_path))
    found = connect(str(tmp_path), start=False)
    session()
    with found, pytest.raises(GoneError, match="ended"):
        found.ask("gateline/check", {}, 5)
    registration.register(registration.workspace_folder(str(tmp_path)), written)
    with pytest.raises(GoneError, match="no session is open for"):
        connect(str(tmp_path), start=False)
    assert registrations(str(tmp_path)) == [] and pipes.served == {}


@pytest.mark.usefixtures("session")
def test_a_pipe_that_another_process_serves_is_not_told_the_token(tmp_path: Path, pipes: Pipes) -> None:
    pipes.server += 1
    with pytest.raises(GoneError, match="no session is open for"):
        connect(str(tmp_path), start=False)
    assert registrations(str(tmp_path)) == []


class Deaf(PipeEnd):
    """An end whose other side reads nothing."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    def poll(self, seconds: float) -> bool:
        return False

    def send_bytes(self, data: bytes) -> None:
        self._closed.wait(60)
        raise OSError("handle is closed")

    def close(self) -> None:
        self._closed.set()


def test_who_does_not_read_or_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, pipes: Pipes) -> None:
    began = time.monotonic()
    deaf = Deaf()
    monkeypatch.setattr(multiprocessing.connection, "Client", lambda *_, **__: deaf)
    channel = named_pipe.connect("any", pipes.server, 5)
    with pytest.raises(TimeoutError):
        channel.receive(0.01)
    with pytest.raises(TimeoutError):
        channel.send(b"{}", 0.01)
    assert deaf._closed.is_set(), "half of a message may be under way"
    monkeypatch.setattr(multiprocessing.connection, "Client", lambda *_, **__: time.sleep(1))
    with pytest.raises(TimeoutError):
        named_pipe.connect("busy", pipes.server, 0.01)
    assert time.monotonic() - began < 5


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no UNIX sockets")
def test_nothing_follows_half_of_a_message_on_a_socket(tmp_path: Path) -> None:
    """A cancel request once went into the middle of the message that was late."""
    address = str(tmp_path / "deaf.sock")
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(address)
        deaf.listen()
        channel = unix_socket.connect(address, os.getpid(), 5)
        with pytest.raises(TimeoutError):
            channel.send(b" " * 50_000_000, 0.05)
        with pytest.raises(OSError, match="Bad file descriptor"):
            channel.send(b"more", 0.05)


@pytest.mark.usefixtures("session")
def test_a_late_answer_over_a_pipe_is_dropped(tmp_path: Path) -> None:
    with connect(str(tmp_path), start=False) as found:
        with pytest.raises(LateError):
            found.ask("gateline/slow", {"number": 1}, 0.05)
        assert found.ask("gateline/check", {"number": 2}, 10)["params"] == {"number": 2}
