"""The socket between the keeper and a collector: messages, and the pipe on which a run answers."""

from __future__ import annotations

import array
import os
import select
import socket
from typing import Any

from . import framing


class Channel:
    """One end."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._frames = framing.Frames()
        self._waiting: list[dict[str, Any]] = []

    @classmethod
    def pair(cls) -> tuple[Channel, Channel]:
        """Both ends."""
        one, other = socket.socketpair()
        return cls(one), cls(other)

    @property
    def descriptor(self) -> int:
        """To wait on, and to write to."""
        return self._end.fileno()

    def send(self, message: dict[str, Any], results: int | None = None) -> None:
        """Send a message, and with it a pipe. Raises OSError when the other end is gone."""
        data = framing.encode(message)
        if results is not None:
            carried = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [results]))]
            sent = self._end.sendmsg([data], carried)
            data = data[sent:]
        self._end.sendall(data)

    def receive(self) -> tuple[dict[str, Any], int | None]:
        """The next message, and the pipe that came with it. Ends the process when the other end is gone."""
        results: int | None = None
        while not self._waiting:
            data, besides, _, _ = self._end.recvmsg(1 << 16, socket.CMSG_SPACE(array.array("i").itemsize))
            if not data:
                os._exit(0)
            for _, _, packed in besides:
                results = array.array("i", packed)[0]
                os.set_inheritable(results, False)
            self._waiting.extend(self._frames.feed(data))
        return self._waiting.pop(0), results

    def read(self) -> list[dict[str, Any]] | None:
        """What has come, for whoever waits for several; None when the other end is gone."""
        try:
            data = self._end.recv(1 << 16)
        except OSError:
            return None
        return list(self._frames.feed(data)) if data else None

    def next(self, seconds: float) -> dict[str, Any] | None:
        """The next message; None when the other end is gone, or says nothing for so long."""
        while not self._waiting:
            if not select.select([self._end], [], [], seconds)[0]:
                return None
            messages = self.read()
            if messages is None:
                return None
            self._waiting.extend(messages)
        return self._waiting.pop(0)

    def close(self) -> None:
        """Speak no more."""
        self._end.close()
