"""What one needs in view. Params are validated by the caller."""

from __future__ import annotations

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

from pygls.exceptions import JsonRpcInvalidParams

from gateline.lsp.convert import column_at
from gateline.lsp.handlers.asked import failures, session_at, wire
from gateline.lsp.progress import work_done
from gateline.protocol import context_methods

if TYPE_CHECKING:
    from gateline.context.values import Answer
    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server
    from gateline.protocol.contexts import (
        ContextForPositionParams,
        ContextSearchParams,
        ContextStatusParams,
        PlaceParams,
    )
    from gateline.session.context.service import ContextService


async def search(ls: Server, params: ContextSearchParams) -> dict[str, Any]:
    """The passages for a question."""
    from gateline.session.context.wire import context_result, question

    folder, service = _service(ls, params.uri)
    path = _path(ls, params.uri) if params.uri and params.position else ""
    async with _shown(ls, service, params.work_done_token):
        with failures():
            begin = time.perf_counter()
            answer = await service.search(question(params, path), params.budget, params.deadline / 1000)
            warning = await _counted(ls, params.uri, answer, begin) if params.counted else ""
    return wire(context_result(answer, folder.uri_of, warning))


async def for_position(ls: Server, params: ContextForPositionParams) -> dict[str, Any]:
    """What one needs in view at a place."""
    from gateline.session.context.wire import context_result

    folder, service = _service(ls, params.uri)
    path, line = _path(ls, params.uri), params.position.line
    column, seconds = _column(ls, params.uri, path, params.position), params.deadline / 1000
    async with _shown(ls, service, params.work_done_token):
        with failures():
            begin = time.perf_counter()
            answer = await service.for_position(path, line, params.budget, column, seconds)
            warning = await _counted(ls, params.uri, answer, begin) if params.counted else ""
    return wire(context_result(answer, folder.uri_of, warning))


async def status(ls: Server, params: ContextStatusParams) -> dict[str, Any]:
    """How the index stands, perhaps after all files were looked at again."""
    from gateline.session.context.wire import status_result

    _, service = _service(ls, params.uri)
    if params.refresh:
        async with work_done(ls, params.work_done_token, "gateline: context") as tell:
            with failures():
                await service.refresh(lambda done, of: tell(f"{done} of {of} files"))
    return wire(status_result(service, await service.status()))


async def _counted(ls: Server, uri: str | None, answer: Answer, begin: float) -> str:
    """Count an answer that was asked for at `begin`, by the clock that only runs on.

    One without passages hands nothing: as while the index is late, when the question is asked again.
    """
    if not answer.tokens:
        return ""
    took, paths = (time.perf_counter() - begin) * 1000, [one.path for one in answer.passages]
    return await session_at(ls, uri).recorder.hand(
        answer.tokens, "context", took=took, paths=paths, degraded=bool(answer.degraded)
    )


def _column(ls: Server, uri: str, path: str, place: PlaceParams) -> int | None:
    """The column of a place in code points; of a document that is not open, as the client counts it."""
    document = session_at(ls, uri).document(path)
    if document is None or place.character is None or place.line >= len(document.lines):
        return place.character
    return column_at(document.lines[place.line], place.character, ls.encoding)


@contextlib.asynccontextmanager
async def _shown(ls: Server, service: ContextService, token: int | str | None) -> AsyncIterator[None]:
    """Progress while the index is made, for a client that gave a token."""
    if token is None:
        yield
        return
    async with work_done(ls, token, "gateline: context") as tell:
        with service.process.following(lambda done, of: tell(f"{done} of {of} files")):
            yield


def _service(ls: Server, uri: str | None) -> tuple[Folder, ContextService]:
    session = session_at(ls, uri)
    folder = ls.folders.at(uri)
    assert folder is not None, "it has a session"
    return folder, session.context


def _path(ls: Server, uri: str) -> str:
    address = ls.folders.address(uri)
    if address is None:
        raise JsonRpcInvalidParams(f"uri: must be a document in a folder of the workspace, not {uri!r}")
    return address.path


ANSWERS: dict[str, Callable[[Server, Any], Awaitable[dict[str, Any]]]] = {
    context_methods.SEARCH.name: search,
    context_methods.FOR_POSITION.name: for_position,
    context_methods.CONTEXT_STATUS.name: status,
}
