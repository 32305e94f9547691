"""A connection to a running session: `connect(root).ask("gateline/…", {…}, seconds)`."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Any, Self

from gateline.resident.framing import END, FrameError, framed, length_of, read_body
from gateline.resident.places import PlaceError
from gateline.resident.registration import EDITOR, ENGINE, Registration, forget, registrations
from gateline.resident.transport import Channel, transport

OPEN = "gateline/resident/open"
"""The first request of a connection."""
LEAVE = "gateline/resident/leave"
"""Asks an engine to end, so that a newer one takes its place."""
_HELLO = 2.0
"""Seconds in which whatever listens must say that it is a session."""


class NotAnsweredError(Exception):
    """There is no answer; the text says why, for people."""


class LateError(NotAnsweredError):
    """The answer did not come in time. It may come later: ask again."""


class GoneError(NotAnsweredError):
    """The session ended, or there is none."""


class RefusedError(NotAnsweredError):
    """The session answered with an error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        """As in JSON-RPC; -32001: nothing can be judged, -32602: the params do not fit."""


class Connection:
    """One session; one question at a time."""

    def __init__(self, channel: Channel, registration: Registration) -> None:
        self._channel = channel
        self._buffer = bytearray()
        self._last = 0
        self.registration = registration

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection; a question that is not answered yet is dropped."""
        self._channel.close()

    def ask(self, method: str, params: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The result of one of gateline's own methods, at most so many seconds from now.

        Raises LateError, GoneError, RefusedError. After LateError the connection can be asked again: the
        answer that comes then is dropped.
        """
        until = time.monotonic() + seconds
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        try:
            self._channel.send(framed(message), _left(until))
            while True:
                answer = self._read(until)
                if answer.get("id") == self._last:
                    return _result(answer)
        except TimeoutError:
            self._cancel()
            raise LateError(self._late(method, seconds)) from None
        except (OSError, FrameError) as error:
            raise GoneError(f"the session of {self.registration.root} ended: {error}") from None

    def _late(self, method: str, seconds: float) -> str:
        who = "the editor's server" if self.registration.kind == EDITOR else "the resident engine"
        return (
            f"{who} of {self.registration.root} (process {self.registration.pid}) has not answered {method} "
            f"within {max(seconds, 0.0):.1f} s: it is starting, or busy with another question"
        )

    def _cancel(self) -> None:
        """What nobody waits for any more need not be done."""
        message = {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": self._last}}
        try:
            self._channel.send(framed(message), 0.1)
        except OSError:
            self.close()

    def _read(self, until: float) -> dict[str, Any]:
        while (at := self._buffer.find(END)) < 0:
            self._receive(until)
        end = at + len(END) + length_of(bytes(self._buffer[:at]))
        while len(self._buffer) < end:
            self._receive(until)
        body = bytes(self._buffer[at + len(END) : end])
        del self._buffer[:end]
        return read_body(body)

    def _receive(self, until: float) -> None:
        data = self._channel.receive(_left(until))
        if not data:
            raise ConnectionError("the connection was closed before a whole message arrived")
        self._buffer += data


def connect(root: str, *, start: bool = True, seconds: float = 5.0) -> Connection:
    """A connection to the session of a workspace: an editor's that has it open, else the resident engine.

    With `start` an engine is started where there is none, and waited for, at most so many seconds from now.
    Raises LateError, GoneError.
    """
    until = time.monotonic() + seconds
    try:
        found = _running(root, until)
        if found is None and start:
            from gateline.resident.starting import started

            found = started(root, lambda: _running(root, until), until)
    except PlaceError as error:
        raise GoneError(f"no session can be reached: {error}") from None
    if found is None:
        raise GoneError(f"no session is open for {root}")
    return found


def dismiss(root: str) -> None:
    """End the resident engine of a workspace, where one runs: the folder is about to go. Blocks."""
    try:
        found = [one for one in registrations(root) if one.kind == ENGINE]
    except PlaceError:
        return
    for registration in found:
        try:
            with _opened(registration, time.monotonic() + _HELLO) as engine:
                _ended(engine)
        except (OSError, NotAnsweredError):
            continue  # It is gone, or ends by itself: its folder is.


def _running(root: str, until: float) -> Connection | None:
    """A connection to a session that runs; those that died are forgotten, an outdated engine is ended."""
    for registration in registrations(root):
        try:
            connection = _opened(registration, until)
        except (ConnectionError, FileNotFoundError):
            forget(root, registration)
        except (OSError, NotAnsweredError):
            continue  # It is busy, or ends at this moment.
        else:
            if registration.is_ours:
                return connection
            if registration.kind == ENGINE:
                _ended(connection)
            connection.close()
    return None


def _opened(registration: Registration, until: float) -> Connection:
    """A connection whose other end has said that it is a session. Raises OSError, NotAnsweredError."""
    seconds = min(_HELLO, _left(until))
    channel = transport().connect(registration.address, registration.pid, seconds)
    connection = Connection(channel, registration)
    try:
        connection.ask(OPEN, {"token": registration.token}, seconds)
    except BaseException:
        connection.close()
        raise
    return connection


def _ended(engine: Connection) -> None:
    try:
        engine.ask(LEAVE, {}, _HELLO)
    except NotAnsweredError:
        pass


def _result(answer: dict[str, Any]) -> dict[str, Any]:
    if (error := answer.get("error")) is not None:
        raise RefusedError(error.get("code", 0), str(error.get("message", "no reason")))
    result = answer.get("result")
    return result if isinstance(result, dict) else {}


def _left(until: float) -> float:
    """Seconds that are left. Raises TimeoutError when none are: 0 would mean to wait for nothing."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left
