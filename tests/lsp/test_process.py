"""The server as a process: start, end, and what no client library would send."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import pytest
from editor import REAL, SCRIPTED

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}
INITIALIZED = {"jsonrpc": "2.0", "method": "initialized", "params": {}}
SHUTDOWN = {"jsonrpc": "2.0", "id": 99, "method": "shutdown"}
EXIT = {"jsonrpc": "2.0", "method": "exit"}


def frame(message: object) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def read(stream: BinaryIO) -> dict[str, Any]:
    length = 0
    while (line := stream.readline().strip()) or not length:
        name, _, value = line.partition(b":")
        length = int(value) if name == b"Content-Length" else length
    return json.loads(stream.read(length))


class Process:
    def __init__(self, *command: str) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ
        )

    def send(self, *messages: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(map(frame, messages)))
        self.process.stdin.flush()

    def answer(self, identity: int) -> dict[str, Any]:
        assert self.process.stdout is not None
        while (message := read(self.process.stdout)).get("id") != identity:
            pass
        return message

    def said(self, method: str) -> dict[str, Any]:
        assert self.process.stdout is not None
        while (message := read(self.process.stdout)).get("method") != method:
            pass
        return message

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None
        return self.process.wait(20)


@pytest.fixture
def server() -> Iterator[Process]:
    running = Process(*SCRIPTED)
    yield running
    running.process.kill()
    running.process.communicate()


def test_shutdown_and_exit_end_with_0(server: Process) -> None:
    server.send(INITIALIZE, INITIALIZED, SHUTDOWN)
    assert server.answer(99) == {"jsonrpc": "2.0", "id": 99, "result": None}
    server.send(EXIT)
    assert server.process.wait(20) == 0


def test_exit_without_shutdown_ends_with_1(server: Process) -> None:
    server.send(INITIALIZE, EXIT)
    assert server.process.wait(20) == 1


def test_a_client_that_is_gone_ends_it(server: Process) -> None:
    server.send(INITIALIZE)
    server.answer(1)
    assert server.end() == 1


def test_a_request_out_of_turn_is_answered(server: Process) -> None:
    history = {"jsonrpc": "2.0", "id": 2, "method": "gateline/checkpoint/history", "params": {}}
    server.send(history)
    assert server.answer(2)["error"]["code"] == -32002
    server.send(INITIALIZE)
    server.answer(1)
    server.send({**INITIALIZE, "id": 3})
    assert server.answer(3)["error"]["code"] == -32600
    server.send(SHUTDOWN)
    server.answer(99)
    server.send({**history, "id": 4})
    assert server.answer(4)["error"]["code"] == -32600


@pytest.mark.parametrize(
    "junk",
    [
        b"{",
        b"[]",
        b"5",
        b"null",
        b'"x"',
        b"{}",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "1.0", "method": "x"}',
        b"\xff",
    ],
)
def test_what_is_no_message_is_passed_over(server: Process, junk: bytes) -> None:
    server.send(INITIALIZE, junk, SHUTDOWN)
    assert server.answer(99)["result"] is None


def test_a_method_nobody_knows_is_refused(server: Process) -> None:
    server.send(
        INITIALIZE,
        {"jsonrpc": "2.0", "id": 2, "method": "gateline/dance", "params": {"type_name": "x", "_a": 1}},
    )
    assert server.answer(2)["error"]["code"] == -32601


def test_initialize_with_params_that_do_not_fit_is_answered(server: Process) -> None:
    server.send({**INITIALIZE, "params": {"capabilities": 5}})
    assert server.answer(1)["error"]["code"] == -32602
    server.send({**INITIALIZE, "id": 2})
    assert "capabilities" in server.answer(2)["result"]


def test_an_incomplete_installation_says_so_and_lives() -> None:
    server = Process(*SCRIPTED, "--broken")
    try:
        history = {"jsonrpc": "2.0", "id": 2, "method": "gateline/checkpoint/history", "params": {}}
        server.send(INITIALIZE, INITIALIZED)
        said = server.said("window/showMessage")
        assert "No module named 'pydantic'" in said["params"]["message"]
        server.send(history)
        assert server.answer(2)["error"]["code"] == -32001
    finally:
        server.process.kill()
        server.process.communicate()


def test_tcp_serves_one_connection() -> None:
    running = subprocess.Popen([*REAL, "--tcp", "0"], stderr=subprocess.PIPE, text=True)
    try:
        assert running.stderr is not None
        port = int(running.stderr.readline().rsplit(maxsplit=1)[-1])
        with socket.create_connection(("127.0.0.1", port), 20) as first:
            stream = first.makefile("rwb")
            stream.write(frame(INITIALIZE))
            stream.flush()
            assert read(stream)["id"] == 1
            with socket.create_connection(("127.0.0.1", port), 20) as second:
                assert second.recv(1) == b""
            stream.write(frame(SHUTDOWN) + frame(EXIT))
            stream.flush()
            assert read(stream)["id"] == 99
        assert running.wait(20) == 0
    finally:
        running.kill()
        running.communicate()


def test_nothing_dear_is_imported_before_initialize_is_answered() -> None:
    code = (
        "import sys, gateline.lsp.start, gateline.lsp.server as s; s.Server();"
        "dear = {'pydantic', 'rich', 'click', 'mypy', 'bandit', 'radon', 'jedi', 'gateline.session'};"
        "print(sorted(dear & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.strip() == "[]"
