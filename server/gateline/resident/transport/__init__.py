"""How two processes of one user reach each other: a UNIX socket, or a named pipe of Windows.

An adapter is a module with the functions of `Transport`. Clients are hooks, so neither loads asyncio before
somebody listens.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from asyncio import StreamReader, StreamWriter

    Connected = Callable[[StreamReader, StreamWriter], Awaitable[None]]
    """Serves one client."""


class Channel(Protocol):
    """A client's end."""

    def send(self, data: bytes, seconds: float) -> None:
        """Send all of it. Raises TimeoutError, OSError."""

    def receive(self, seconds: float) -> bytes:
        """Some bytes, none at the end. Raises TimeoutError, OSError."""

    def close(self) -> None:
        """End it; may be called twice."""


class Listening(Protocol):
    """A server's end."""

    def close(self) -> None:
        """Let nobody in any more."""


class Transport(Protocol):
    """One adapter."""

    def address(self, folder: str, name: str) -> str:
        """Where a session named so listens, whose registration is in a folder of its user alone."""

    async def listen(self, address: str, connected: Connected) -> Listening:
        """Let processes of this user in. Raises OSError."""

    def is_own_user(self, writer: StreamWriter) -> bool:
        """Whether a process of this user is at the other end, where the system tells."""

    def connect(self, address: str, pid: int, seconds: float) -> Channel:
        """The channel to a session that a process listens for.

        Raises FileNotFoundError or ConnectionError where nobody does, TimeoutError, OSError.
        """

    def remove(self, address: str) -> None:
        """Remove what a process left that listened there, if it can leave anything."""


def transport(platform: str = sys.platform) -> Transport:
    """The adapter of a platform."""
    if platform == "win32":
        from gateline.resident.transport import named_pipe

        return named_pipe
    from gateline.resident.transport import unix_socket

    return unix_socket
