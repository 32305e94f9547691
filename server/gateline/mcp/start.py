"""How the MCP server starts: standard input and output, until the client closes them."""

from __future__ import annotations

import asyncio
import logging
import os
import sys

from gateline.resident.root import root_of

MISSING = (
    "gateline mcp needs the package `mcp`, which is not there: run `pip install 'gateline[agents]'` in the "
    "environment of gateline, or `uv tool install 'gateline[agents]'`"
)


def main(folder: str) -> int:
    """Serve the workspace around a folder; 2 without the SDK."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    try:
        from mcp.server.stdio import stdio_server
    except ImportError:
        print(MISSING, file=sys.stderr)  # noqa: T201
        return 2
    from gateline.mcp.port import ResidentEngine
    from gateline.mcp.server import server_for
    from gateline.mcp.tool import Desk

    root = root_of(os.path.realpath(folder))
    engine = ResidentEngine(root)

    async def serve() -> None:
        server = server_for(Desk(engine, root))
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    try:
        asyncio.run(serve())
    except* BrokenPipeError:
        # The client is gone: an end, not a fault. The interpreter flushes once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    finally:
        engine.close()
    return 0
