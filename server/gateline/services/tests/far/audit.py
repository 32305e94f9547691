"""What tests ask the system for: files of the project, programs, the network."""

from __future__ import annotations

import errno
import os
import socket
import sys
from typing import Any, Callable


class Audit:
    """Listens from `start` on. Nothing that Python does is hidden from it; programs are not Python."""

    def __init__(self, below: Callable[[str], bool]) -> None:
        self.opened: set[str] = set()
        """Real paths of files below the root, other than Python's own, since `begin`."""
        self.programs = False
        """A program was started since `begin`."""
        self.network = False
        """Something was to be reached that was not of this test's own, since `begin`."""
        self.refuses = False
        """Whether to refuse what is outside this machine, because no sandbox does."""
        self._below = below
        self._served: set[Any] = set()
        self._real: dict[str, str | None] = {}

    def start(self) -> None:
        """Listen until the process ends: Python cannot be told to stop."""
        sys.addaudithook(self._heard)

    def begin(self) -> None:
        """Forget what was heard."""
        self.opened = set()
        self.programs = self.network = False

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            self._open(args[0])
        elif event in ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.fork"):
            self.programs = True
        elif event.startswith("socket."):
            self._socket(event, args)

    def _open(self, path: Any) -> None:
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not isinstance(path, str) or path.endswith((".py", ".pyc")):
            return
        if path not in self._real:
            real = os.path.realpath(path)
            self._real[path] = real if self._below(real) else None
        known = self._real[path]
        if known is not None:
            self.opened.add(known)

    def _socket(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "socket.bind":
            self._served.add(_port(args[1]))
        elif event == "socket.connect" and args[0].family in (socket.AF_INET, socket.AF_INET6):
            self._connect(args[1])
        elif event in ("socket.getaddrinfo", "socket.gethostbyname") and not _is_local(args[0]):
            self._outside(f"{args[0]}")

    def _connect(self, address: Any) -> None:
        if not _is_local(address[0]):
            self._outside(f"{address[0]}")
        elif not self._served & {0, _port(address)}:
            # A server on this machine that the test did not start: the sandbox hides it.
            self.network = True

    def _outside(self, where: str) -> None:
        self.network = True
        if self.refuses:
            raise OSError(errno.ENETUNREACH, "gateline lets no test reach the network: " + where)


def _port(address: Any) -> Any:
    return address[1] if isinstance(address, tuple) else address


def _is_local(host: Any) -> bool:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    return name in (None, "", "localhost", "::1", "0.0.0.0", "::") or str(name).startswith("127.")
