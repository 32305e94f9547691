"""Another user of the machine: no session is reached, also where folders were opened by mistake."""

from __future__ import annotations

import os
import pwd
import socket
import sys
from pathlib import Path

import pytest

from gateline.resident.connection import OPEN, Connection
from gateline.resident.framing import framed

NOBODY = "nobody"
CLOSED = ("answer: ", "error: BrokenPipeError", "error: ConnectionResetError")
"""What is heard of a connection that is closed without a word."""
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0, reason="a second user can be had by root on Linux alone"
)


def knocked(session: Connection, *, user: int) -> str:
    """What a process of a user hears that has the token, and asks to be let in and to judge."""
    opening = {"jsonrpc": "2.0", "id": 1, "method": OPEN, "params": {"token": session.registration.token}}
    asking = {"jsonrpc": "2.0", "id": 2, "method": "gateline/check", "params": {"known": True}}
    read, write = os.pipe()
    # A fork: the interpreter may lie where another user cannot start it.
    if not (child := os.fork()):
        try:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
            os.write(write, _heard(session.registration.address, framed(opening) + framed(asking)))
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as stream:
        heard = stream.read().decode()
    os.waitpid(child, 0)
    return heard


def _heard(address: str, sent: bytes) -> bytes:
    channel = socket.socket(socket.AF_UNIX)
    channel.settimeout(20)
    try:
        channel.connect(address)
        channel.sendall(sent)
        return b"answer: " + channel.recv(1000)
    except OSError as error:
        return f"error: {type(error).__name__}".encode()


@pytest.fixture
def nobody() -> int:
    return pwd.getpwnam(NOBODY).pw_uid


def test_another_user_does_not_reach_the_socket(session: Connection, nobody: int) -> None:
    assert knocked(session, user=nobody) == "error: PermissionError"
    assert knocked(session, user=0).startswith("answer: Content-Length")


def test_another_user_with_the_token_is_not_answered_where_the_folder_was_opened(
    session: Connection, nobody: int
) -> None:
    address = Path(session.registration.address)
    opened = [address, *list(address.parents)[:-1]]
    modes = {path: path.stat().st_mode & 0o7777 for path in opened}
    try:
        for path in opened:
            path.chmod(0o666 if path == address else modes[path] | 0o711)
        assert knocked(session, user=nobody) in CLOSED
        assert session.ask("gateline/check", {"known": True}, 30)["running"] == []
    finally:
        for path, mode in modes.items():
            path.chmod(mode)
