"""Work-done progress with cancel, for what a person asked for."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from gateline.lsp.server import Server

_PATIENCE = 2.0
"""Seconds to wait for the client to make a progress display before going on without."""


@contextlib.asynccontextmanager
async def work_done(
    server: Server, token: lsp.ProgressToken | None, title: str
) -> AsyncIterator[Callable[[str], None]]:
    """Show progress under the client's token, or one made for it; yields what to call with each step.

    Cancelling the progress cancels the current task.
    """
    token = token if token is not None else await _created(server)
    if token is None:
        yield lambda _: None
        return
    shown = server.work_done_progress
    shown.begin(token, lsp.WorkDoneProgressBegin(title, cancellable=True))
    cancelling = _cancels(asyncio.current_task(), shown.tokens[token])
    message = "cancelled"
    try:
        yield lambda step: shown.report(token, lsp.WorkDoneProgressReport(message=step))
        message = "done"
    except Exception:
        message = "failed"
        raise
    finally:
        cancelling.set_result(None)
        # pygls keeps every token it was ever given.
        shown.tokens.pop(token, None)
        shown.end(token, lsp.WorkDoneProgressEnd(message=message))


async def _created(server: Server) -> lsp.ProgressToken | None:
    if not server.client.progress:
        return None
    token = str(uuid.uuid4())
    with contextlib.suppress(JsonRpcException, TimeoutError):
        await asyncio.wait_for(server.work_done_progress.create_async(token), _PATIENCE)
        return token
    return None


def _cancels(task: asyncio.Task[object] | None, pressed: Future[object]) -> Future[None]:
    """Cancel `task` when the button is pressed, until the returned future is done."""
    over: Future[None] = Future()

    def cancel(button: Future[object]) -> None:
        if button.cancelled() and task is not None and not over.done():
            task.cancel()

    pressed.add_done_callback(cancel)
    return over
