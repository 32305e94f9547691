"""How the server starts: what takes long elsewhere begins first, and what nobody waits for comes last."""

from __future__ import annotations

import asyncio
import linecache
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from gateline.lsp import allocating, collecting
from gateline.services.spawning import begin
from gateline.services.types.messages import FAR


def main(argv: Sequence[str] | None = None) -> int:
    """Serve one client, and say how it ended: 0 after `shutdown` and `exit`, else 1."""
    given = list(sys.argv[1:] if argv is None else argv)
    # The common case needs no parser, and importing one takes a client's time.
    port, resident = (None, None) if set(given) <= {"--stdio"} else _options(given)
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    allocating.from_one_heap()
    collecting.seldom()
    return asyncio.run(_served(port)) if resident is None else _resident(resident)


def _resident(root: Path) -> int:
    """Serve one workspace without an editor; where another engine does, nobody misses this one."""
    from gateline.lsp.door.claim import claimed
    from gateline.resident.places import PlaceError

    try:
        held = claimed(root)
    except (OSError, PlaceError) as error:
        logging.error("no engine for %s: %s", root, error)
        return 1
    if held is None:
        return 0
    with held:
        return asyncio.run(_kept(root))


async def _kept(root: Path) -> int:
    from gateline.lsp import light

    light.load()
    from gateline.lsp.door.engine import serve

    linecache.clearcache()
    return await serve(root)


async def _served(port: int | None) -> int:
    """Serve on standard input and output, or on a port of this machine."""
    # The type checker is waited for longest: it is imported in its process while the server is in this one.
    # For debugging a client may come at any time: nothing is begun that would have to wait for it.
    if port is None:
        await begin(FAR)
    from gateline.lsp import light

    light.load()
    from gateline.lsp.server import Server
    from gateline.lsp.transport import serve

    # attrs keeps the source of every method that it made, of hundreds of classes, for tracebacks alone.
    linecache.clearcache()
    return await serve(Server(), port)


def _options(argv: Sequence[str]) -> tuple[int | None, Path | None]:
    """The port, and the root of the workspace that is served without an editor."""
    from argparse import ArgumentParser

    parser = ArgumentParser("gateline server", description="The gateline language server.")
    parser.add_argument("--stdio", action="store_true", help="serve standard input and output (the default)")
    parser.add_argument(
        "--tcp", type=int, metavar="PORT", help="serve one connection on localhost, for debugging"
    )
    parser.add_argument("--resident", metavar="FOLDER", help="serve hooks and agents of a workspace")
    # Editors add options of their own, such as --clientProcessId.
    given, _ = parser.parse_known_args(argv)
    return given.tcp, Path(given.resident).resolve() if given.resident else None
