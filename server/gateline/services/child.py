"""A child process that answers one request at a time, started when it is first needed.

It is its own process group, so killing it kills what it started. It dies with its parent, because
its standard input ends. The far side is `gateline.services.far.serve`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pickle
import signal
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gateline.services import priority
from gateline.services.complaints import Complaints
from gateline.services.far import HEADER
from gateline.services.spawning import command_of, spawn, taken

_LARGE = 1 << 15
"""Bytes of an answer from which on it is read in a thread."""
QUICK_DEATHS = 5
"""A child that dies this often without one answer between is given up until `reset`."""
_FAREWELL = 2.0
"""Seconds in which a process that closed its pipes is expected to be gone."""


@dataclass(frozen=True, slots=True)
class Codec:
    """How messages become bytes, and bytes messages."""

    dumps: Callable[[object], bytes]
    loads: Callable[[bytes], Any]


PICKLE = Codec(partial(pickle.dumps, protocol=pickle.HIGHEST_PROTOCOL), pickle.loads)
"""Between two ends that are both gateline's own code in one interpreter."""
JSON = Codec(lambda message: json.dumps(message, separators=(",", ":")).encode("ascii"), json.loads)
"""Where the far side is another interpreter, and runs code that is not ours."""


class ChildError(Exception):
    """The child could not answer; the message says why, for people."""


class ChildDiedError(ChildError):
    """The process ended before it answered. The next request starts a new one."""


class ChildTimeoutError(ChildError):
    """The answer took longer than allowed; the process was killed."""


class ChildFailedError(ChildError):
    """The far side raised; the message is its traceback. The process lives on."""


class Child:
    """One far side: a module of ours, or a `program` that is called by the name `module`.

    Requests are answered in order. A request that is cancelled while it is being answered kills the
    process, because its remaining answer would be taken for the next one's.
    """

    def __init__(
        self,
        module: str,
        *,
        program: Sequence[str] = (),
        codec: Codec = PICKLE,
        nice: int = 0,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.module = module
        self._program = tuple(program)
        self._codec = codec
        self.nice = nice
        self.cwd = cwd
        self.env = dict(env or {})
        self.starts = 0
        self.told: object = None
        """What the process was told before it was ours, if it was begun early."""
        self._deaths = 0
        self._dismissed = False
        self._epitaph = ""
        """How it died last."""
        self._process: Process | None = None
        self._spawning: asyncio.Task[Process] | None = None
        self._complaints: Complaints | None = None
        self._killed: list[tuple[Process, Complaints | None]] = []
        """Processes that were told to go and were not seen going."""
        self._turn = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process identifier while it lives."""
        alive = self._process is not None and self._process.returncode is None
        return self._process.pid if self._process and alive else None

    async def ask(
        self,
        message: object,
        timeout: float,
        on_part: Callable[[Any], None] | None = None,
        *,
        is_small: bool = False,
    ) -> Any:
        """The last part of the answer; `on_part` gets each part as it comes. `timeout` is in seconds.

        A message that `is_small` is on its way sooner: nothing but the event loop takes part.

        Raises:
            ChildError: the process ended, was too slow, or raised.

        """
        async with self._turn:
            try:
                async with asyncio.timeout(timeout):
                    return await self._exchange(message, on_part, is_small)
            except TimeoutError:
                self.kill()
                raise ChildTimeoutError(f"{self.module} did not answer within {timeout:g} s") from None
            except asyncio.CancelledError:
                self.kill()
                raise

    async def warm(self) -> None:
        """Start the process before it is asked for anything. Raises ChildError."""
        async with self._turn:
            await self._started()

    async def tell(self, message: object) -> None:
        """Say something that has no answer, perhaps while an answer is on its way. Starts no process.

        A process that is gone, or goes meanwhile, is not told.
        """
        process = self._process
        if process is None or process.returncode is not None or process.stdin is None:
            return
        body = self._codec.dumps(message)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(HEADER.pack(len(body)) + body)
            await process.stdin.drain()

    async def _exchange(self, message: object, on_part: Callable[[Any], None] | None, is_small: bool) -> Any:
        process = await self._send(message, is_small)
        last: Any = None
        while True:
            kind, value = await self._receive(process)
            if kind == "error":
                raise ChildFailedError(value)
            if kind == "end":
                self._deaths = 0
                return last
            last = value
            if on_part is not None:
                on_part(value)

    def kill(self) -> None:
        """End the process and what it started, at once. The next request starts a new one."""
        self._killed = [(p, c) for p, c in self._killed if p.returncode is None]
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._killed.append((self._process, self._complaints))
        self._process = None

    async def close(self) -> None:
        """Let the process end by itself, because nobody asks any more, and kill it when it does not."""
        process = self._process
        if process is not None and process.returncode is None and process.stdin is not None:
            process.stdin.close()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), _FAREWELL)
        await self.stop()

    async def terminate(self, patience: float) -> None:
        """Ask the process to end (SIGTERM), and kill it when it did not within `patience` seconds."""
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), patience)
        await self.stop()

    async def stop(self) -> None:
        """End the process and wait until it is gone, and those that were killed before."""
        while self._spawning is not None:
            # One that is only being started cannot be ended yet.
            await asyncio.wait({self._spawning})
            await asyncio.sleep(0)
        self.kill()
        for process, complaints in self._killed:
            if process.stdin is not None:
                process.stdin.close()
            await process.wait()
            if complaints is not None:
                await complaints.ended(_FAREWELL)

    async def dismiss(self) -> None:
        """End the process for good: who asks later, or waits for a turn still, starts no other."""
        self._dismissed = True
        await self.stop()

    def reset(self) -> None:
        """Try again after the child was given up."""
        self._deaths = 0

    async def _send(self, message: object, is_small: bool) -> Process:
        process = await self._started()
        # In a thread: thousands of findings take tens of milliseconds, and the loop must not wait.
        dumps = self._codec.dumps
        body = dumps(message) if is_small else await asyncio.to_thread(dumps, message)
        assert process.stdin is not None
        try:
            process.stdin.write(HEADER.pack(len(body)) + body)
            await process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise await self._died() from None
        return process

    async def _receive(self, process: Process) -> tuple[str, Any]:
        # Its own process: a `kill` may have come since it was asked.
        stream = process.stdout
        assert stream is not None
        try:
            header = await stream.readexactly(HEADER.size)
            body = await stream.readexactly(HEADER.unpack(header)[0])
        except asyncio.IncompleteReadError:
            raise await self._died() from None
        in_thread = len(body) > _LARGE
        loads = self._codec.loads
        kind, value = await asyncio.to_thread(loads, body) if in_thread else loads(body)
        return kind, value

    async def _started(self) -> Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        if self._dismissed:
            raise ChildDiedError(f"{self.module} was stopped: its workspace was closed or reopened")
        if self._deaths >= QUICK_DEATHS:
            raise ChildDiedError(f"{self._epitaph}; it is not restarted after {self._deaths} crashes")
        if self._deaths:
            await asyncio.sleep(min(0.05 * 2**self._deaths, 2.0))
        self.starts += 1
        command = self._command()
        try:
            early = None if self._is_special else taken(self.module, self.nice)
            self.told = early.told if early else None
            self._process = process = early.process if early else await self._spawned(command)
        except OSError as error:
            raise ChildDiedError(f"{command[0]} cannot be started: {error.strerror}") from None
        assert process.stderr is not None
        self._complaints = Complaints(self.module, process.stderr)
        return process

    async def _spawned(self, command: Sequence[str]) -> Process:
        self._spawning = asyncio.ensure_future(spawn(command, self.cwd, self.env))
        try:
            process = await self._spawning
            priority.lower(process.pid, self.nice)
            return process
        finally:
            self._spawning = None

    @property
    def _is_special(self) -> bool:
        """Whether a process that was begun early is not what this one would be."""
        return bool(self._program or self.cwd or self.env)

    def _command(self) -> list[str]:
        return list(self._program) or command_of(self.module)

    async def _died(self) -> ChildDiedError:
        """The error that says how the process ended; what is left of it is killed."""
        self._deaths += 1
        process, complaints = self._process, self._complaints
        if process is None or complaints is None:
            return ChildDiedError(f"{self.module} was ended before it answered")
        # It may have closed its pipes only: whoever cannot answer must go. A zombie keeps its own exit code.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _FAREWELL)
        self.kill()
        await complaints.ended(_FAREWELL)
        how = f"{self.module} ended before it answered ({_ending(process.returncode)})"
        self._epitaph = f"{how}: {complaints.last_line}" if complaints.last_line else how
        return ChildDiedError(self._epitaph)


def last_line(error: Exception) -> str:
    """What an error says, without the traceback above it."""
    lines = str(error).strip().splitlines()
    return lines[-1].split("CrashError: ")[-1] if lines else type(error).__name__


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return f"signal {-code}"
    return "killed" if code is None else f"exit code {code}"
