"""What tests ask the system for: files of the project, programs, the network."""

from __future__ import annotations

import errno
import os
import socket
import sys
from typing import Any, Callable

from .configuration import for_tests
from .encodings import digest
from .texts import stamp


class Audit:
    """Listens from `start` on. Nothing that Python does is hidden from it; programs are not Python."""

    def __init__(self, below: Callable[[str], bool]) -> None:
        self.opened: set[str] = set()
        """Real paths of files below the root that were read, other than Python's own, since `begin`."""
        self.contents: dict[str, str] = {}
        """The digests of what was in those that were there; none while tests are collected."""
        self.programs = False
        """A program was started since `begin`."""
        self.network = False
        """Something was to be reached that was not of this test's own, since `begin`."""
        self.refuses = False
        """Whether to refuse what is outside this machine, because no sandbox does."""
        self._below = below
        self._made: set[str] = set()
        """What this process wrote itself: that is no input of a later test."""
        self._read: dict[str, tuple[Any, str]] = {}
        self._is_reading = False
        self._is_run = False
        self._served: set[Any] = set()
        self._real: dict[str, str | None] = {}

    def start(self) -> None:
        """Listen until the process ends: Python cannot be told to stop."""
        sys.addaudithook(self._heard)

    def begin(self) -> None:
        """Forget what was heard."""
        self.opened, self.contents, self._is_run = set(), {}, True
        self.programs = self.network = False

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            self._open(*args)
        elif event == "sqlite3.connect":
            self._open(args[0], "r+", 0)
        elif event in ("subprocess.Popen", "os.posix_spawn", "os.exec", "os.system", "os.fork"):
            self.programs = True
        elif event.startswith("socket."):
            self._socket(event, args)

    def _open(self, path: Any, mode: Any, flags: Any) -> None:
        if self._is_reading:
            return
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        if not isinstance(path, str) or path.endswith((".py", ".pyc")):
            return
        if path not in self._real:
            real = os.path.realpath(path)
            self._real[path] = real if self._below(real) else None
        known = self._real[path]
        if known is None or known in self._made:
            return
        writes, is_emptied = _purpose(mode, flags)
        if writes:
            self._made.add(known)
        if not is_emptied and known not in self.opened:
            self.opened.add(known)
            self._note(known)

    def _note(self, real: str) -> None:
        """Remember what is in a file now. Nothing can have written it since: reading it is an event, too."""
        before = stamp(real)
        if not self._is_run or before is None:
            return
        if self._read.get(real, (None, ""))[0] != before:
            self._is_reading = True
            try:
                with open(real, "rb") as file:
                    self._read[real] = before, digest(for_tests(real, file.read()))
            except OSError:
                return
            finally:
                self._is_reading = False
        self.contents[real] = self._read[real][1]

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


def _purpose(mode: Any, flags: Any) -> tuple[bool, bool]:
    """Whether a file is opened to be written, and whether nothing that was in it can be read."""
    if isinstance(mode, str):
        return any(sign in mode for sign in "wax+"), any(sign in mode for sign in "wx")
    if not isinstance(flags, int):
        return False, False
    return flags & (os.O_WRONLY | os.O_RDWR) != 0, flags & os.O_TRUNC != 0


def _port(address: Any) -> Any:
    return address[1] if isinstance(address, tuple) else address


def _is_local(host: Any) -> bool:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    return name in (None, "", "localhost", "::1", "0.0.0.0", "::") or str(name).startswith("127.")
