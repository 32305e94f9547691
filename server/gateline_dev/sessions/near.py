"""A server in this process, in virtual time: its own code from the protocol down, without processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from gateline.lsp.server import Server
from gateline_dev.bench.editor import Json

_LONG = 90.0
"""Virtual seconds after which everything that was begun has ended, whatever it waited for."""


class NearLine:
    """Messages go as JSON, as between processes."""

    def __init__(self) -> None:
        self.heard: Callable[[Json], None] = lambda message: None
        self.gone: Callable[[], None] = lambda: None
        self.server = Server()
        self.server.protocol.set_writer(self)
        self._buffer = b""

    def send(self, message: Json) -> None:
        """Handled at once, as the server's loop does with each message."""
        protocol = self.server.protocol
        protocol.handle_message(json.loads(json.dumps(message), object_hook=protocol.structure_message))

    async def rest(self) -> None:
        """Time costs nothing."""
        await asyncio.sleep(_LONG)

    async def end(self) -> None:
        """End its sessions."""
        await self.server.stop()

    def write(self, data: bytes) -> Any:
        """What the server writes: whole messages, their heads and bodies in turns or together."""
        self._buffer += data
        while b"\r\n\r\n" in self._buffer:
            head, rest = self._buffer.split(b"\r\n\r\n", 1)
            length = next(
                int(row.split(b":")[1]) for row in head.split(b"\r\n") if row.startswith(b"Content-Length")
            )
            if len(rest) < length:
                break
            self._buffer = rest[length:]
            # As through a pipe: what it says is heard after what it does now.
            asyncio.get_running_loop().call_soon(self.heard, json.loads(rest[:length]))

    def close(self) -> None:
        """Nothing to close."""
