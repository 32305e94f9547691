"""Listens for one workspace, for its user alone, and answers each request exactly once."""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidRequest,
    JsonRpcRequestCancelled,
)

from gateline.resident import edition
from gateline.resident.connection import OPEN
from gateline.resident.framing import END, FrameError, framed, length_of, read_body
from gateline.resident.places import make_own, workspace_folder
from gateline.resident.registration import Registration, file_of, forget, register
from gateline.resident.transport import Listening, transport

log = logging.getLogger(__name__)

Answer = Callable[[str, object], Awaitable[dict[str, Any]]]
"""From a method and its params to the result. Raises JsonRpcException."""

_FIRST = 5.0
"""Seconds in which a client must say its token."""
_HEADER = 1024
"""Bytes of a header, at most."""
_CLIENTS = 64


class Listener:
    """One socket, the file that tells of it, and the clients that came by it."""

    def __init__(self, root: Path, kind: str, answer: Answer) -> None:
        self.root = root
        self._kind = kind
        self._answer = answer
        self._server: Listening | None = None
        self._clients: set[asyncio.Task[None]] = set()
        self._registration: Registration | None = None
        self._token = secrets.token_urlsafe(24)
        self._transport = transport()

    @property
    def is_registered(self) -> bool:
        """Whether others can still find it."""
        written = self._registration
        folder = workspace_folder(str(self.root))
        return written is not None and Path(file_of(folder, written.kind, written.pid)).exists()

    async def open(self) -> None:
        """Listen, then tell where. Raises OSError, PlaceError; then nothing is left behind."""
        folder = workspace_folder(str(self.root))
        make_own(folder)
        address = self._transport.address(folder, f"{self._kind}-{os.getpid()}")
        self._server = await self._transport.listen(address, self._connected)
        self._registration = Registration(
            self._kind,
            os.getpid(),
            str(self.root),
            address,
            self._token,
            edition.settings_edition(),
            edition.edition(),
        )
        try:
            register(folder, self._registration)
        except OSError:
            await self.close()
            raise

    async def close(self) -> None:
        """Be found no more, and end what is asked."""
        if self._registration is not None:
            forget(str(self.root), self._registration)
        if self._server is not None:
            self._server.close()
        for client in self._clients:
            client.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._clients) >= _CLIENTS or not self._transport.is_own_user(writer):
            writer.close()
            return
        self._clients.add(task)
        try:
            await _Client(reader, writer, self._token, self._answer).serve()
        finally:
            self._clients.discard(task)
            writer.close()


class _Client:
    """One connection, and what it asked that is not answered yet."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str, answer: Answer
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._token = token
        self._answer = answer
        self._asked: dict[object, asyncio.Task[None]] = {}

    async def serve(self) -> None:
        """Until the client goes; what it asked then is dropped."""
        try:
            if await self._is_let_in():
                while True:
                    self._take(await self._read())
        except (FrameError, UnicodeDecodeError) as error:
            self._refuse(None, JsonRpcInvalidRequest(str(error)))
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            pass
        finally:
            for task in self._asked.values():
                task.cancel()
            await asyncio.gather(*self._asked.values(), return_exceptions=True)

    async def _is_let_in(self) -> bool:
        first = await asyncio.wait_for(self._read(), _FIRST)
        params = first.get("params")
        token = params.get("token") if isinstance(params, dict) else None
        same = isinstance(token, str) and hmac.compare_digest(token.encode(), self._token.encode())
        if first.get("method") != OPEN or not same:
            self._refuse(first.get("id"), JsonRpcInvalidRequest("the token is not that of this session"))
            return False
        self._send({"id": first.get("id"), "result": {"pid": os.getpid()}})
        return True

    async def _read(self) -> dict[str, Any]:
        header = await self._reader.readuntil(END)
        if len(header) > _HEADER:
            raise FrameError("a message must begin with Content-Length")
        return read_body(await self._reader.readexactly(length_of(header[: -len(END)])))

    def _take(self, message: dict[str, Any]) -> None:
        method, number, params = message.get("method"), message.get("id"), message.get("params")
        if method == "$/cancelRequest" and isinstance(params, dict):
            if (asked := self._asked.get(params.get("id"))) is not None:
                asked.cancel()
        elif not isinstance(method, str) or not isinstance(number, int | str) or number in self._asked:
            self._refuse(number, JsonRpcInvalidRequest("a request has a method and an id of its own"))
        else:
            self._asked[number] = asyncio.ensure_future(self._answered(number, method, params))

    async def _answered(self, number: int | str, method: str, params: object) -> None:
        try:
            self._send({"id": number, "result": await self._answer(method, params)})
        except asyncio.CancelledError:
            self._refuse(number, JsonRpcRequestCancelled("cancelled"))
        except JsonRpcException as error:
            self._refuse(number, error)
        except Exception as error:
            log.error("while answering %s", method, exc_info=error)
            self._refuse(number, JsonRpcInternalError(f"{type(error).__name__}: {error}"))
        finally:
            self._asked.pop(number, None)

    def _refuse(self, number: object, error: JsonRpcException) -> None:
        self._send({"id": number, "error": {"code": error.code, "message": error.message}})

    def _send(self, message: dict[str, Any]) -> None:
        if not self._writer.is_closing():
            self._writer.write(framed({"jsonrpc": "2.0", **message}))
