"""The connection to a `ty server`: the only place outside `lsp` that speaks LSP, as a client.

pygls carries the messages. What is in them stays plain JSON: lsprotocol 2025.0.0 refuses ty's answer to
`initialize`, and what pygls has for unknown messages, a new class for each object, takes ten times as long to
read. Importing this imports pygls, so it is done when a process is started.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping
from typing import Any

from pygls.client import JsonRPCClient
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter
from pygls.protocol.json_rpc import JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage

from gateline.services.types.ty.server import TyError, TyTimeoutError

_UNHEARD = (
    "client/registerCapability",
    "textDocument/publishDiagnostics",
    "window/logMessage",
    "window/showMessage",
    "workspace/diagnostic/refresh",
)
"""What ty may send without that anything must be done."""
_ERROR = " ERROR "


class TyClient(JsonRPCClient):
    """One process of ty, from `start` to `stop`."""

    def __init__(self) -> None:
        super().__init__(converter_factory=_plain_json)
        self.complaint = ""
        """What ty wrote last about settings that it could not use."""
        self._listening: asyncio.Task[None] | None = None
        for method in _UNHEARD:
            self.feature(method)(_nothing)

    @property
    def pid(self) -> int | None:
        """The process identifier while it lives."""
        alive = self._server is not None and self._server.returncode is None
        return self._server.pid if self._server and alive else None

    async def start(self, command: str, folder: str) -> None:
        """Start the process, in its own group. Raises TyError."""
        try:
            await self.start_io(command, "server", cwd=folder, start_new_session=True)
        except OSError as error:
            raise TyError(f"{command} cannot be started: {error.strerror}") from error
        self._listening = asyncio.ensure_future(self._listen())

    def tell(self, method: str, params: Mapping[str, object]) -> None:
        """Send a notification."""
        self.protocol.notify(method, params)

    async def ask(self, method: str, params: Mapping[str, object], timeout: float) -> Any:
        """The result of a request; `timeout` is in seconds. Raises TyError."""
        try:
            async with asyncio.timeout(timeout):
                return await self.protocol.send_request_async(method, params)
        except TimeoutError:
            raise TyTimeoutError(f"ty did not answer within {timeout:g} s") from None
        except JsonRpcException as error:
            raise TyError(f"ty refused {method}: {error.message}") from error
        except RuntimeError as error:
            raise TyError(f"ty ended before it answered (exit code {self._code})") from error

    async def end(self) -> None:
        """End the process and wait until it is gone."""
        if (pid := self.pid) is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
        # What was being read when the process ended is cut off: nobody waits for it any more.
        with contextlib.suppress(asyncio.IncompleteReadError):
            await self.stop()  # type: ignore[no-untyped-call]
        if self._listening is not None:
            await self._listening

    @property
    def _code(self) -> int | None:
        return self._server.returncode if self._server else None

    async def _listen(self) -> None:
        """Read what ty logs, so that its pipe never fills."""
        assert self._server is not None and self._server.stderr is not None
        while line := await _line(self._server.stderr):
            _, mark, said = line.partition(_ERROR)
            self.complaint = said.strip() if mark else self.complaint


async def _line(stream: asyncio.StreamReader) -> str:
    try:
        return (await stream.readline()).decode(errors="replace")
    except ValueError:
        return "\n"  # Longer than the stream's buffer, which was emptied.


def _plain_json() -> Any:
    converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in (JsonRPCNotification, JsonRPCRequestMessage, JsonRPCResponseMessage):
        converter.register_structure_hook(kind, _as_it_is)
    return converter


def _as_it_is(content: Mapping[str, Any], kind: Any) -> Any:
    return kind(**content)


def _nothing(params: Mapping[str, Any]) -> None:
    """Leave a message unheard. pygls tells by the annotation that it is to be given the parameters only."""
