"""What the MCP server counts of an answer: its length, its files, and whether a tier was missing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gateline.mcp import server
from gateline.mcp.tools import BY_NAME
from gateline.mcp.tools.context import ContextAnswer


class Heard:
    """A desk that hears what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Mapping[str, Any]] = []

    async def ask(self, _method: str, params: Mapping[str, Any], _seconds: float) -> Mapping[str, str]:
        self.asked.append(params)
        return {"warning": ""}


@pytest.mark.parametrize("degraded", [("semantic: no model was found",), ()])
async def test_an_answer_that_lacked_a_tier_is_counted_as_such(degraded: tuple[str, ...]) -> None:
    desk: Any = Heard()
    answer = ContextAnswer(content_hash="", fresh=True, running=(), next_action="", degraded=degraded)
    await server._counted(desk, BY_NAME["context"], answer, 3.0)
    (told,) = desk.asked
    assert (told["operation"], told["degraded"]) == ("context", bool(degraded))
