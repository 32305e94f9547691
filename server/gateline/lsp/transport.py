"""How messages travel: standard input and output, or one TCP connection for debugging."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from typing import TYPE_CHECKING

from pygls.io_ import StdinAsyncReader, StdoutWriter, run_async

from gateline.lsp.client_process import FAREWELL, end_at_latest

if TYPE_CHECKING:
    from gateline.lsp.server import Server

log = logging.getLogger(__name__)


async def serve(server: Server, port: int | None = None) -> int:
    """Serve on standard input and output, or on a port of this machine; the exit code."""
    await (stdio(server) if port is None else tcp(server, port))
    return server.exit_code


async def stdio(server: Server) -> None:
    """Serve until `exit`, or until the client is gone."""
    output = sys.stdout.buffer
    # Whatever prints would break the stream; it goes to standard error.
    sys.stdout = sys.stderr
    server.protocol.set_writer(StdoutWriter(output))
    await _serve(server, StdinAsyncReader(sys.stdin.buffer, server.thread_pool))
    if server.gone.is_set():
        logging.shutdown()
        os._exit(server.exit_code)  # a thread reads standard input, and nothing will ever end that


async def tcp(server: Server, port: int) -> None:
    """Serve one connection to localhost; 0 takes a free port. The port is told on standard error."""
    taken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if server.protocol.writer is not None:
            writer.close()
            return
        server.protocol.set_writer(writer)
        await _serve(server, reader)
        writer.close()
        taken.set_result(None)

    async with await asyncio.start_server(connected, "127.0.0.1", port) as listening:
        print(f"listening on port {listening.sockets[0].getsockname()[1]}", file=sys.stderr, flush=True)  # noqa: T201
        await taken


async def _serve(server: Server, reader: StdinAsyncReader | asyncio.StreamReader) -> None:
    server.spawn(server.doors.begin())
    reading = asyncio.ensure_future(_read(server, reader))
    gone = asyncio.ensure_future(server.gone.wait())
    try:
        await asyncio.wait({reading, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        end_at_latest(FAREWELL, server.exit_code)
        await server.stop()
        for waiting in (reading, gone):
            waiting.cancel()
    if reading.done() and not reading.cancelled():
        reading.result()


async def _read(server: Server, reader: StdinAsyncReader | asyncio.StreamReader) -> None:
    """Handle messages until `exit`, or until the connection ends."""
    with contextlib.suppress(BrokenPipeError, ConnectionError, asyncio.IncompleteReadError):
        await run_async(
            stop_event=server.stopping,
            reader=reader,
            protocol=server.protocol,
            logger=log,
            error_handler=server.report_server_error,
        )
