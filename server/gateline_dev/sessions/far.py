"""A real server: a process with everything that it starts, at rest when none of them has anything to do."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import psutil

from gateline_dev.bench.client import LIMIT, messages
from gateline_dev.bench.editor import Json

_QUIET = 3.0
"""Seconds without a message and without work: longer than any pause of the server."""
_LOOK = 0.15
_ENDS = 15.0
"""Seconds that a server has to end."""
_LONGEST = 180.0
"""Seconds after which a server that does not come to rest is given up."""
_AT_WORK = (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP)

_RAISED = re.compile(r"[\w.]+(Error|Exception|Interrupt|Exit)\b")


class RestlessError(Exception):
    """A server has something to do all the time."""


class FarLine:
    """Standard input and output of a server."""

    def __init__(self, process: asyncio.subprocess.Process, errors: Path) -> None:
        self.heard: Callable[[Json], None] = lambda message: None
        self.process = process
        self.errors = errors
        """What it wrote to standard error."""
        self.gone: Callable[[], None] = lambda: None
        self.left: list[str] = []
        """Processes that outlived it."""
        self._said = 0
        self._family: dict[int, psutil.Process] = {}
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def start(cls, root: Path, environment: Mapping[str, str]) -> FarLine:
        """Start a server in a folder."""
        pipe = asyncio.subprocess.PIPE
        errors = Path(tempfile.mkstemp(prefix="gateline-errors-")[1])
        with errors.open("wb") as told:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "gateline", "server", "--stdio"),
                cwd=root.parent,
                env=environment,
                stdin=pipe,
                stdout=pipe,
                stderr=told,
                limit=LIMIT,
            )
        return cls(process, errors)

    def send(self, message: Json) -> None:
        """Into its standard input."""
        assert self.process.stdin is not None
        body = json.dumps(message).encode()
        if not self.process.stdin.is_closing():
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def rest(self) -> None:
        """Until it and its children do nothing, and said nothing, for a while. Raises RestlessError."""
        loop = asyncio.get_running_loop()
        began = since = loop.time()
        state: object = None
        while loop.time() - since < _QUIET:
            await asyncio.sleep(_LOOK)
            now = self._state()
            if now is None or now != state:
                state, since = now, loop.time()
            if loop.time() - began > _LONGEST:
                raise RestlessError(f"at work for {_LONGEST:g} s")

    async def end(self) -> None:
        """Wait until it is gone, and note what it left."""
        family = self.processes()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), _ENDS)
        await asyncio.sleep(0.2)
        for process in family:
            with contextlib.suppress(psutil.Error):
                if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                    self.left.append(" ".join(process.cmdline()[:4]))
                    process.kill()
        await self.process.wait()
        await asyncio.wait([self._reader])

    def complaints(self) -> list[str]:
        """The lines of standard error that tell of a fault, each with the last of its traceback."""
        told: list[str] = []
        for line in self.errors.read_text(errors="replace").splitlines():
            if line.startswith(("ERROR", "CRITICAL")):
                told.append(line)
            elif told and _RAISED.match(line):
                told[-1] += f": {line}"
        self.errors.unlink()
        return told

    def processes(self) -> Sequence[psutil.Process]:
        """The server and its children."""
        with contextlib.suppress(psutil.Error):
            root = psutil.Process(self.process.pid)
            found = [root, *root.children(recursive=True)]
            self._family = {process.pid: self._family.get(process.pid, process) for process in found}
        return list(self._family.values())

    def _state(self) -> object:
        """What stays the same at rest; None while something is at work."""
        used = []
        for process in self.processes():
            with contextlib.suppress(psutil.Error):
                if process.status() in _AT_WORK:
                    return None
                times = process.cpu_times()
                used.append((process.pid, round(times.user + times.system, 1)))
        return self._said, used

    async def _read(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(asyncio.IncompleteReadError, ValueError, OSError):
            async for message, _ in messages(self.process.stdout):
                self._said += 1
                self.heard(message)
        self.gone()
