"""A socket in a folder that its user alone can enter."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import StreamWriter

    from gateline.resident.transport import Connected, Listening

_CHUNK = 1 << 16


class _Channel:
    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected

    def send(self, data: bytes, seconds: float) -> None:
        self._socket.settimeout(seconds)
        try:
            self._socket.sendall(data)
        except TimeoutError:
            self.close()  # half of a message cannot be gone on from
            raise

    def receive(self, seconds: float) -> bytes:
        self._socket.settimeout(seconds)
        return self._socket.recv(_CHUNK)

    def close(self) -> None:
        self._socket.close()


def address(folder: str, name: str) -> str:
    """The path of the socket."""
    return os.path.join(folder, f"{name}.sock")


async def listen(address: str, connected: Connected) -> Listening:
    """Listen for this user alone. Raises OSError."""
    import asyncio

    remove(address)  # of a process that died, and had the same number
    server = await asyncio.start_unix_server(connected, address)
    os.chmod(address, 0o600)
    return server


def is_own_user(writer: StreamWriter) -> bool:
    """Whether a process of this user is at the other end; Linux alone tells."""
    peer = writer.get_extra_info("socket")
    if sys.platform != "linux" or peer is None:
        return True
    import struct

    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return bool(user == os.getuid())


def connect(address: str, pid: int, seconds: float) -> _Channel:
    """A channel to the socket, whose folder says whose it is. Raises OSError, also as Transport says."""
    connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connected.settimeout(seconds)
        connected.connect(address)
    except BaseException:
        connected.close()
        raise
    return _Channel(connected)


def remove(address: str) -> None:
    """Remove the socket's file, if it is there."""
    try:
        os.unlink(address)
    except OSError:
        pass
