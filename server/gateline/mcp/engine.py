"""What tools ask: the session of a workspace, wherever it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class EngineError(Exception):
    """There is no answer; the text says why and what to do next."""


class LateEngineError(EngineError):
    """There is no answer yet."""


class Engine(Protocol):
    """The session of one workspace. Several questions may be under way at once."""

    async def ask(self, method: str, params: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The result of a `gateline/*` method, within so many seconds. Raises EngineError."""
        ...
