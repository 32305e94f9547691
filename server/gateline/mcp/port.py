"""The resident engine, or an editor's server, as tools ask it: several questions at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from typing import Any

from gateline.mcp.engine import EngineError, LateEngineError
from gateline.resident.connection import (
    Connection,
    GoneError,
    LateError,
    NotAnsweredError,
    RefusedError,
    connect,
)

_STARTING = 10.0
"""Seconds that an engine may take until it listens."""


class ResidentEngine:
    """Asks over as many connections as there are questions at a time; each is kept for the next one."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._idle: list[Connection] = []

    async def ask(self, method: str, params: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The result of a method. A session that ended meanwhile is looked for once more."""
        try:
            return await asyncio.to_thread(self._ask, method, dict(params), seconds)
        except RefusedError as error:
            raise EngineError(str(error)) from None
        except LateError as error:
            raise LateEngineError(f"{error}: call again") from None
        except NotAnsweredError as error:
            raise EngineError(f"{error}; run `gateline doctor` for details") from None

    def close(self) -> None:
        """End all connections."""
        while self._idle:
            self._idle.pop().close()

    def _ask(self, method: str, params: dict[str, Any], seconds: float) -> dict[str, Any]:
        until = time.monotonic() + seconds
        while self._idle:
            connection = self._idle.pop()
            try:
                return self._answered(connection, method, params, until)
            except GoneError:
                continue
        connection = connect(self._root, seconds=max(until - time.monotonic(), _STARTING))
        return self._answered(connection, method, params, max(until, time.monotonic() + seconds))

    def _answered(
        self, connection: Connection, method: str, params: dict[str, Any], until: float
    ) -> dict[str, Any]:
        try:
            result: dict[str, Any] = connection.ask(method, params, until - time.monotonic())
        except GoneError:
            connection.close()
            raise
        except LateError:
            # Its answer would be read before the next one.
            connection.close()
            raise
        except RefusedError:
            self._idle.append(connection)
            raise
        self._idle.append(connection)
        return result
