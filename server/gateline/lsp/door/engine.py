"""The resident engine: the same server without an editor, for the hooks and programs of one workspace."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from gateline.lsp import life
from gateline.lsp.client_process import FAREWELL, end_at_latest
from gateline.lsp.door.answering import answer
from gateline.lsp.door.listener import Listener
from gateline.lsp.server import Server
from gateline.resident.connection import LEAVE
from gateline.resident.places import PlaceError
from gateline.resident.registration import ENGINE

log = logging.getLogger(__name__)

_LOOK = 5.0
"""Seconds between two looks whether it is still wanted."""
_IDLE = 15.0
"""Minutes without a question after which it ends, until its session has read what the settings say."""
_FAILED = 1


async def serve(root: Path) -> int:
    """Serve one workspace until nobody asks any more; the exit status."""
    return await _Engine(root).run()


class _Engine:
    """A server whose client is nobody, and the door by which it is asked."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._server = Server()
        self._listener = Listener(root, ENGINE, self._answered)
        self._leaving = asyncio.Event()
        self._following = asyncio.Lock()
        self._asked = 0
        self._last = time.monotonic()

    async def run(self) -> int:
        """Until it is told to leave, or nobody asked for a while."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._leave_soon())
        try:
            await self._listener.open()
        except (OSError, PlaceError) as error:
            log.error("no engine for %s: %s", self._root, error)
            return _FAILED
        try:
            self._begin()
            await self._wanted()
        finally:
            end_at_latest(FAREWELL, 0)
            await self._listener.close()
            await self._server.stop()
        return 0

    def _begin(self) -> None:
        """Be told what an editor would tell: which folder, and that nothing can be shown or asked."""
        self._server.protocol.set_writer(_Nobody())
        folder = {"uri": self._root.as_uri(), "name": self._root.name}
        self._tell(
            "initialize",
            {
                "processId": None,
                "rootUri": self._root.as_uri(),
                "workspaceFolders": [folder],
                "capabilities": {"textDocument": {"diagnostic": {}}},
                "initializationOptions": {"trusted": _is_trusted(self._root)},
            },
            number=1,
        )
        self._tell("initialized", {})

    def _tell(self, method: str, params: dict[str, Any], number: int | None = None) -> None:
        protocol = self._server.protocol
        message: dict[str, object] = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        protocol.handle_message(json.loads(json.dumps(message), object_hook=protocol.structure_message))

    async def _answered(self, method: str, params: object) -> dict[str, Any]:
        self._asked += 1
        try:
            if method == LEAVE:
                self._leaving.set()
                return {}
            await self._follow_consent()
            return await answer(self._server, self._root, method, params)
        finally:
            self._asked -= 1
            self._last = time.monotonic()

    async def _follow_consent(self) -> None:
        """Work as a person says now: what runs is theirs to allow and to take back, also while it runs."""
        await self._server.ready.wait()
        async with self._following:
            trusted = await asyncio.to_thread(_is_trusted, self._root)
            for folder in self._server.folders:
                if folder.options.trusted != trusted:
                    folder.options = replace(folder.options, trusted=trusted)
                    await life.restart(self._server, folder)

    async def _wanted(self) -> None:
        """Until it is not wanted any more. What a person took back ends also where nobody asks."""
        while not self._leaving.is_set() and self._is_wanted():
            try:
                await asyncio.wait_for(self._leaving.wait(), _LOOK)
            except TimeoutError:
                await self._follow_consent()

    def _is_wanted(self) -> bool:
        """Whether somebody asks or asked lately, and others can still find it."""
        idle = not self._asked and time.monotonic() - self._last > self._patience() * 60
        return not idle and self._listener.is_registered and self._root.is_dir()

    def _patience(self) -> float:
        """Minutes without a question, as the settings say."""
        sessions = (folder.session for folder in self._server.folders if folder.session is not None)
        settings = next((session.settings for session in sessions), None)
        return _IDLE if settings is None else settings.agents.idle

    def _leave_soon(self) -> None:
        asyncio.get_event_loop().call_soon_threadsafe(self._leaving.set)


class _Nobody:
    """Takes what is sent to an editor that is not there."""

    def write(self, data: bytes) -> None:
        """Drop it."""

    def close(self) -> None:
        """Nothing is open."""


def _is_trusted(root: Path) -> bool:
    """Whether a person said that code of this workspace may run."""
    from gateline.session.tests.consent import Answer, Consents

    consent = Consents().of(root)
    return consent is not None and consent.answer is Answer.ALLOWED
