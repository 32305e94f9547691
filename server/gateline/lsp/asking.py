"""The one question to the person: whether the project's tests may be run."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from gateline.session.tests.consent import Answer

if TYPE_CHECKING:
    from gateline.lsp.folders import Folder
    from gateline.lsp.server import Server

_ANSWERS = {"Run tests": Answer.ALLOWED, "Never here": Answer.NEVER, "Not now": None}


async def may_tests_run(server: Server, folder: Folder, command: Sequence[str]) -> Answer | None:
    """What the person says; None: not now, or the client cannot ask."""
    if not server.client.asking:
        return None
    question = (
        f"Run the tests of {folder.root.name} on unsaved text while you edit? This executes code of the "
        "project: its tests, and the mypy plug-ins that its settings name. "
        f"The command is: {shlex.join(command)}"
    )
    actions = [lsp.MessageActionItem(title) for title in _ANSWERS]
    params = lsp.ShowMessageRequestParams(lsp.MessageType.Info, question, actions)
    chosen = await server.window_show_message_request_async(params)
    return _ANSWERS.get(chosen.title) if chosen is not None else None
