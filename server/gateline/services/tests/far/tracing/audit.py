"""What tests ask the system for: files of the project, folders, modules, programs, the network."""

from __future__ import annotations

import errno
import functools
import importlib.machinery
import linecache
import os
import socket
import sys
import urllib.parse
from typing import Any, Callable

from ..contents.encodings import digest
from ..contents.texts import stamp
from .asking import Asking
from .touched import Touched

_SOURCES = (".py", ".pyw", ".pyc")
"""Endings of files that are read to be imported, shown and traced, and not only as data."""
_PROGRAMS = frozenset(
    ["subprocess.Popen", "os.posix_spawn", "os.spawn", "os.exec", "os.system", "os.fork", "os.forkpty"]
)


class Audit:
    """Listens from `start` on. Nothing that Python does is hidden from it; programs are not Python."""

    def __init__(self, below: Callable[[str], bool]) -> None:
        """`below` tells the real paths of the project's files."""
        self.touched = Touched()
        """What was touched since `begin`; files and folders below the root."""
        self.network = False
        """Something was to be reached that was not of this test's own, since `begin`."""
        self.refuses = False
        """Whether to refuse what is outside this machine, because no sandbox does."""
        self.asking = Asking(below)
        self._below = below
        self._made: set[str] = set()
        """What this process wrote itself: that is no input of a later test."""
        self._updated: dict[str, str] = {}
        """What was in files before this process wrote into them."""
        self._read: dict[str, tuple[Any, str]] = {}
        self._is_reading = False
        self._is_run = False
        self._served: set[Any] = set()
        self._real: dict[str, str | None] = {}
        self._folders: dict[str, str | None] = {}
        self._processes = ""

    def start(self) -> None:
        """Listen until the process ends: Python cannot be told to stop."""
        sys.addaudithook(self._heard)
        self._listen_to_sources()
        self._listen_to_finder()

    def begin(self) -> None:
        """Forget what was heard."""
        self.touched, self._is_run = Touched(), True
        self.network = False
        self._processes = _processes()

    def taken(self) -> Touched:
        """What was touched since `begin`."""
        self.touched.programs = self.touched.programs or self._processes != _processes()
        return self.touched

    def apart(self) -> Touched:
        """The same; what comes is kept apart from it."""
        before, self.touched = self.taken(), Touched()
        self._processes = _processes()
        return before

    def _heard(self, event: str, args: tuple[Any, ...]) -> None:
        if event == "open":
            self._open(args[0], args[1], args[2], sys._getframe(1))
        elif event in ("os.listdir", "os.scandir"):
            self._list(args[0], sys._getframe(1))
        elif event == "sqlite3.connect":
            self._open(_database(args[0]), "r+", 0, sys._getframe(1))
        elif event == "ctypes.dlopen":
            self._load(args[0])
        elif event == "import":
            self._load(args[1])
        elif event in _PROGRAMS:
            self._start(args, sys._getframe(1))
        elif event.startswith("socket."):
            self._socket(event, args)

    # Files

    def _open(self, path: Any, mode: Any, flags: Any, frame: Any) -> None:
        known = None if self._is_reading else self._file(path)
        if known is None or known in self._made:
            return
        module = self._reader(known, frame)
        if module is None:
            return
        reads, writes, is_emptied = _purpose(mode, flags)
        if is_emptied or (writes and not os.path.exists(known)):
            self._made.add(known)
        if reads:
            self._take(known, module)
        elif not is_emptied:
            self._note(known)
        if writes:
            self._updated.setdefault(known, self.touched.contents.get(known, ""))

    def _file(self, path: Any) -> str | None:
        """The real path of a file of the project; None for another."""
        name = _absolute(path)
        if name is None:
            return None
        if name not in self._real:
            real = os.path.realpath(name)
            self._real[name] = real if self._below(real) else None
        return self._real[name]

    def _load(self, path: Any) -> None:
        """A library in machine code: what names no folder is searched elsewhere."""
        if isinstance(path, str) and os.sep in path:
            self._open(path, "r", 0, None)

    def _reader(self, real: str, frame: Any) -> str | None:
        if frame is None:
            return ""
        return self.asking.reads(frame) if real.endswith(_SOURCES) else self.asking.imported(frame)

    def _take(self, real: str, module: str) -> None:
        files = self.touched.read.setdefault(module, set())
        if real not in files:
            files.add(real)
            self._note(real)

    def _note(self, real: str) -> None:
        """Remember what is in a file now. Nothing can have written it since: reading it is an event, too."""
        if real in self._updated:
            if self._updated[real]:
                self.touched.contents[real] = self._updated[real]
            return
        before = stamp(real)
        if not self._is_run or before is None:
            return
        if self._read.get(real, (None, ""))[0] != before:
            self._is_reading = True
            try:
                with open(real, "rb") as file:
                    self._read[real] = before, digest(file.read())
            except OSError:
                return
            finally:
                self._is_reading = False
        self.touched.contents[real] = self._read[real][1]

    def _listen_to_sources(self) -> None:
        """Sources are kept in memory by `linecache`: only the first who asks for one opens it."""
        ordinary = linecache.getlines

        @functools.wraps(ordinary)
        def getlines(filename: Any, *rest: Any, **options: Any) -> Any:
            if isinstance(filename, str) and filename.endswith(_SOURCES):
                self._open(filename, "r", 0, sys._getframe(1))
            return ordinary(filename, *rest, **options)

        linecache.getlines = getlines

    # Folders and modules

    def _list(self, path: Any, frame: Any) -> None:
        folder = self._folder(path)
        if folder is None or self._is_reading:
            return
        module = self.asking.reads(frame)
        if module is not None:
            self.touched.listed.setdefault(module, set()).add(folder)

    def _folder(self, path: Any) -> str | None:
        """The real path of a folder of the project; None for another."""
        if isinstance(path, int):
            path = f"/proc/self/fd/{path}"
        name = _absolute("." if path is None else path)
        if name is None:
            return None
        if name not in self._folders or name.startswith("/proc/"):
            real = os.path.realpath(name)
            self._folders[name] = real if self._below(os.path.join(real, "")) else None
        return self._folders[name]

    def _listen_to_finder(self) -> None:
        """Which modules are looked for in folders and are not there; imports and `find_spec` ask alike."""
        finder: Any = importlib.machinery.PathFinder
        ordinary = finder.find_spec

        def find_spec(cls: Any, fullname: str, path: Any = None, target: Any = None) -> Any:
            found = ordinary(fullname, path, target)
            if found is None:
                module = self.asking.imported(sys._getframe(1))
                self.touched.sought.setdefault(module, set()).add(fullname)
            return found

        finder.find_spec = classmethod(find_spec)

    # Programs

    def _start(self, args: tuple[Any, ...], frame: Any) -> None:
        if self.asking.is_about_system(frame):
            return
        self.touched.programs = True
        command = args[1] if len(args) > 1 and isinstance(args[1], (list, tuple)) else args
        for part in command:
            if isinstance(part, (str, bytes, os.PathLike)) and os.path.isfile(part):
                self._open(part, "r", 0, None)

    # The network

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
            raise OSError(errno.ENETUNREACH, "gateline blocks network access in tests: " + where)


def _absolute(path: Any) -> str | None:
    """A path from the root of the system; None for what is none, as an open file."""
    try:
        name = os.fsdecode(path)
        return name if os.path.isabs(name) else os.path.join(os.getcwd(), name)
    except (TypeError, OSError):
        return None


def _purpose(mode: Any, flags: Any) -> tuple[bool, bool, bool]:
    """Whether what was in a file can be read, whether it can be written, and whether it is emptied."""
    if isinstance(mode, str):
        is_emptied = any(sign in mode for sign in "wx")
        can_read = not is_emptied and ("a" not in mode or "+" in mode)
        return can_read, any(sign in mode for sign in "wax+"), is_emptied
    if not isinstance(flags, int):
        return True, False, False
    access, is_emptied = flags & (os.O_WRONLY | os.O_RDWR), flags & os.O_TRUNC != 0
    return access != os.O_WRONLY and not is_emptied, access != 0, is_emptied


def _database(name: Any) -> Any:
    """The file of a database; SQLite also takes addresses."""
    if isinstance(name, bytes):
        name = os.fsdecode(name)
    if isinstance(name, str) and name.startswith("file:"):
        name = urllib.parse.unquote(name[len("file:") :].partition("?")[0].partition("#")[0])
        name = name[name.find("/", 2) :] if name.startswith("//") else name
    return None if name in ("", ":memory:") else name


def _processes() -> str:
    """How many processes of `multiprocessing` were made: it starts them past what is audited."""
    module = sys.modules.get("multiprocessing.process")
    return repr(getattr(module, "_process_counter", ""))


def _port(address: Any) -> Any:
    return address[1] if isinstance(address, tuple) else address


def _is_local(host: Any) -> bool:
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    return name in (None, "", "localhost", "::1", "0.0.0.0", "::") or str(name).startswith("127.")
