"""A named pipe of Windows, served by asyncio's proactor and opened by `multiprocessing.connection`.

The system's default rights let its user, the system and administrators write to a pipe, others read at
most; and nothing is sent to who did not say the token. Names are random, and a client asks which process
serves the pipe before it says the token: the namespace of pipes is everybody's, and a name is free once its
process died. Tried over a stand-in for both ends alone: it was never run on Windows.
"""

from __future__ import annotations

import secrets
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from asyncio import StreamWriter

    from gateline.resident.transport import Connected, Listening

_T = TypeVar("_T")
_PREFIX = r"\\.\pipe\gateline-"


class _Channel:
    def __init__(self, pipe: Any) -> None:
        self._pipe = pipe

    def send(self, data: bytes, seconds: float) -> None:
        try:
            _within(seconds, lambda: self._pipe.send_bytes(data))
        except TimeoutError:
            self.close()  # which ends the call, too; half of a message cannot be gone on from
            raise

    def receive(self, seconds: float) -> bytes:
        try:
            if not self._pipe.poll(seconds):
                raise TimeoutError
            return bytes(self._pipe.recv_bytes())
        except (EOFError, BrokenPipeError):
            return b""

    def close(self) -> None:
        self._pipe.close()


def address(folder: str, name: str) -> str:
    """A name that nobody can take before; the folder keeps the registration alone."""
    return f"{_PREFIX}{name}-{secrets.token_hex(16)}"


async def listen(address: str, connected: Connected) -> Listening:
    """Listen. Raises OSError, also where another process serves a pipe of that name."""
    import asyncio

    loop: Any = asyncio.get_running_loop()

    def served() -> asyncio.StreamReaderProtocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(loop=loop), connected, loop=loop)

    server: Listening = (await loop.start_serving_pipe(served, address))[0]
    return server


def is_own_user(writer: StreamWriter) -> bool:
    """The system let nobody else write; the token says the rest."""
    return True


def connect(address: str, pid: int, seconds: float) -> _Channel:
    """A channel to the pipe of that process. Raises FileNotFoundError, TimeoutError, OSError."""
    from multiprocessing.connection import Client

    # It waits 20 s where all instances of a pipe are taken.
    pipe = _within(seconds, lambda: Client(address, family="AF_PIPE"))
    if _server_of(pipe) != pid:
        pipe.close()
        raise FileNotFoundError(f"{address} is not served by process {pid}")
    return _Channel(pipe)


def remove(address: str) -> None:
    """A pipe is gone with its process."""


def _server_of(pipe: Any) -> int:
    """The process that serves a pipe. Raises OSError."""
    if sys.platform == "win32":
        import ctypes

        number = ctypes.c_ulong()
        handle = ctypes.c_void_p(pipe.fileno())
        if not ctypes.windll.kernel32.GetNamedPipeServerProcessId(handle, ctypes.byref(number)):
            raise ctypes.WinError()
        return number.value
    raise OSError("named pipes are supported on Windows only")


def _within(seconds: float, call: Callable[[], _T]) -> _T:
    """The result of a call that has no limit of its own. Raises TimeoutError, and what it raises."""
    results: list[_T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError
    return results[0]
