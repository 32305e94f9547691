"""pygls' protocol with its faults mended, each reproduced against pygls 2.1.1.

- A request whose params do not fit was never answered; it gets InvalidParams.
- A request before `initialize` or after `shutdown` was lost or failed oddly; it gets the error the
  protocol names.
- An object with the key `jsonrpc` inside params was taken for a message.
- `exit` left the process by an exception that lost its exit code.
- Cancelling a command stopped its answer but not its work.
- Of every notification, so of every key, about a kilobyte was kept until the end.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote
from uuid import uuid4

import attrs
from cattrs import Converter
from lsprotocol import types as lsp
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from gateline.lsp.buffer import Buffer
from gateline.lsp.convert import encoding_of
from gateline.lsp.drawn import Drawn, published
from gateline.protocol.methods import ASKED, REQUESTS

if TYPE_CHECKING:
    from gateline.lsp.server import Server

log = logging.getLogger(__name__)


@attrs.define
class OwnRequest:
    """A `gateline/*` request. Its params stay as they came, and are validated by its handler."""

    id: int | str
    method: str
    params: object = None
    jsonrpc: str = "2.0"


@attrs.define
class OwnResponse:
    """The client's answer to a `gateline/*` request. It stays as it came, and is validated by who asked."""

    id: int | str
    result: object = None
    jsonrpc: str = "2.0"


def converter() -> Converter:
    """The converter of pygls, which leaves the params of our own requests alone."""
    made: Converter = default_converter()  # type: ignore[no-untyped-call]
    made.register_structure_hook(OwnRequest, _own_request)
    made.register_structure_hook(OwnResponse, _own_response)
    return made


def _own_request(data: Mapping[str, Any], _: type) -> OwnRequest:
    return OwnRequest(data["id"], data["method"], data.get("params"))


def _own_response(data: Mapping[str, Any], _: type) -> OwnResponse:
    return OwnResponse(data["id"], data.get("result"))


class Protocol(LanguageServerProtocol):
    """Answers every request exactly once, whatever came in."""

    _server: Server

    def get_message_type(  # type: ignore[override]
        self, method: str
    ) -> type[Any] | None:
        """Our own requests, then what the protocol defines."""
        return OwnRequest if method in REQUESTS else super().get_message_type(method)

    def get_result_type(  # type: ignore[override]
        self, method: str
    ) -> type[Any] | None:
        """What answers our own requests, then what the protocol defines."""
        return OwnResponse if method in ASKED else super().get_result_type(method)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message from its JSON object, or the object itself when it is only a part of one."""
        if not _is_message(data):
            return data
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            log.warning("params of %s do not fit: %s", data.get("method"), error.__cause__ or error)
            if "id" in data and "method" in data:
                self._refuse(data["id"], JsonRpcInvalidParams(_misfit(error)))
            return None

    def handle_message(self, message: Any) -> None:
        """Dispatch a message; what is none was answered or logged already."""
        if not hasattr(message, "jsonrpc"):
            return
        method = getattr(message, "method", None)
        if method and hasattr(message, "id") and (refusal := self._out_of_turn(method)) is not None:
            self._refuse(message.id, refusal)
            return
        super().handle_message(message)

    def _execute_handler(  # type: ignore[no-untyped-def]
        self, msg_id, handler, callback, args=None, kwargs=None
    ) -> None:
        """Run a handler, and forget what became of it: a notification has nobody who takes it."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        future = self._request_futures.get(msg_id)
        if future is not None:
            future.add_done_callback(lambda done: self._forget(msg_id, done))

    def _forget(self, msg_id: int | str, done: object) -> None:
        if self._request_futures.get(msg_id) is done:
            del self._request_futures[msg_id]

    async def ask(self, method: str, params: Mapping[str, Any]) -> object:
        """The client's answer to one of our own requests, as it came. Cancelling cancels it there, too.

        Raises JsonRpcException for an error.
        """
        number = str(uuid4())
        try:
            return await self.send_request_async(method, params, number)
        except asyncio.CancelledError:
            # Its answer may come all the same.
            self._request_futures.pop(number, None)
            self.notify(lsp.CANCEL_REQUEST, lsp.CancelParams(number))
            raise

    def unstructure(self, value: Any) -> Any:
        """Any of the protocol's objects as plain data for JSON."""
        return self._converter.unstructure(value)

    def publish(self, uri: str, version: int | None, drawn: Sequence[Drawn]) -> None:
        """Send what is drawn in the document at a URI, at a version of it."""
        method, params = lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, published(uri, version, drawn)
        if self.writer is None:
            log.error("nobody is there to be told %s", method)
            return
        body = f'{{"jsonrpc":"{self.VERSION}","method":{json.dumps(method)},"params":{params}}}'.encode()
        self.writer.write(f"Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def _out_of_turn(self, method: str) -> JsonRpcException | None:
        if self._shutdown:
            return JsonRpcInvalidRequest("the server is shutting down")
        if self._workspace is None and method != lsp.INITIALIZE:
            return JsonRpcServerNotInitialized("initialize comes first")
        if self._workspace is not None and method == lsp.INITIALIZE:
            return JsonRpcInvalidRequest("initialize comes once")
        return None

    def _refuse(self, request: int | str, error: JsonRpcException) -> None:
        self._result_types.pop(request, None)
        self._send_response(request, error=error.to_response_error())

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        """Pull is answered always, but offered only to a client that is meant to use it."""
        result = yield from super().lsp_initialize(params)
        if not self._server.client.pull:
            result.capabilities.diagnostic_provider = None
        return result

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Keep the document as a `Buffer`."""
        item = params.text_document
        buffer = Buffer(item, encoding_of(self.workspace.position_encoding))
        self.workspace.text_documents[unquote(item.uri)] = buffer
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: lsp.ExecuteCommandParams
    ) -> Any:
        """Run a command as one task, so that cancelling the request stops the work."""
        handler = self.fm.commands.get(params.command)
        if handler is None:
            raise JsonRpcInvalidParams(
                f"command: {params.command!r} is not one of {sorted(self.fm.commands)}"
            )
        return await handler(params.work_done_token, *(params.arguments or ()))

    @lsp_method(lsp.EXIT)
    def lsp_exit(self, *_: object) -> None:  # type: ignore[override]
        """Leave the message loop; 0 after `shutdown`, else 1, as the protocol says."""
        self._server.leave(0 if self._shutdown else 1)


def _is_message(data: Mapping[str, Any]) -> bool:
    if "jsonrpc" not in data:
        return False
    return "method" in data or ("id" in data and ("result" in data or "error" in data))


def _misfit(error: JsonRpcException) -> str:
    """What does not fit, in the wire's words, from the deepest of the converter's nested errors."""
    cause: BaseException | None = error.__cause__
    where: list[str] = []
    while isinstance(cause, BaseExceptionGroup):
        cause = cause.exceptions[0]
        where += [note.name for note in getattr(cause, "__notes__", ()) if hasattr(note, "name")]
    key = re.sub(r"_(.)", lambda match: match[1].upper(), ".".join(where))
    return f"{key or 'params'}: {cause}" if cause else str(error)
