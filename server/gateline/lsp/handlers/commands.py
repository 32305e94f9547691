"""Commands a person starts from the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from gateline.lsp import life
from gateline.lsp.handlers.methods import evaluate, validated
from gateline.protocol import methods

if TYPE_CHECKING:
    from gateline.lsp.server import Server

CHECK = "gateline.check"
RESTART = "gateline.restart"


def register(server: Server) -> None:
    """Hand the commands to pygls."""
    server.command(CHECK)(check)
    server.command(RESTART)(restart)


async def check(
    ls: Server, token: lsp.ProgressToken | None, where: object = None, *_: object
) -> dict[str, Any]:
    """Judge the change at the final checkpoint; `where` may name a folder: `{"uri": …}`.

    Editors append arguments of their own; they are ignored.
    """
    await ls.ready.wait()
    given = {} if where is None else where
    asked = {"level": "final", "workDoneToken": token, **given} if isinstance(given, dict) else given
    return await evaluate(ls, validated(methods.EVALUATE, asked))


async def restart(ls: Server, *_: object) -> None:
    """New sessions, new tools, everything read again."""
    await ls.ready.wait()
    for folder in ls.folders:
        await life.restart(ls, folder)
