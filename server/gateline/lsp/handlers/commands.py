"""Commands a person starts from the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from gateline.lsp import life
from gateline.lsp.handlers.methods import evaluate, validated
from gateline.protocol import methods

if TYPE_CHECKING:
    from gateline.lsp.server import Server
    from gateline.session.tests.consent import Answer

CHECK = "gateline.check"
RESTART = "gateline.restart"
ALLOW_TESTS = "gateline.tests.allow"
FORBID_TESTS = "gateline.tests.never"
FORGET_TESTS = "gateline.tests.forget"


def register(server: Server) -> None:
    """Hand the commands to pygls."""
    server.command(CHECK)(check)
    server.command(RESTART)(restart)
    server.command(ALLOW_TESTS)(allow_tests)
    server.command(FORBID_TESTS)(forbid_tests)
    server.command(FORGET_TESTS)(forget_tests)


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


async def allow_tests(ls: Server, _token: object = None, where: object = None, *_: object) -> None:
    """The person agrees that tests of this workspace are run on unsaved text."""
    from gateline.session.tests.consent import Answer

    await _answered(ls, where, Answer.ALLOWED)


async def forbid_tests(ls: Server, _token: object = None, where: object = None, *_: object) -> None:
    """Tests of this workspace are never run, and nobody is asked again."""
    from gateline.session.tests.consent import Answer

    await _answered(ls, where, Answer.NEVER)


async def forget_tests(ls: Server, _token: object = None, where: object = None, *_: object) -> None:
    """What was said of running tests is taken back; the question may come again."""
    await _answered(ls, where, None)


async def _answered(ls: Server, where: object, answer: Answer | None) -> None:
    await ls.ready.wait()
    uri = where.get("uri") if isinstance(where, dict) else None
    folder = ls.folders.at(uri if isinstance(uri, str) else None)
    if folder is not None and folder.session is not None:
        await folder.session.tests.answered(answer)
