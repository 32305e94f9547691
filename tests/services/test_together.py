"""Coroutines side by side."""

from __future__ import annotations

import asyncio

import pytest

from gateline.services.together import together


async def done(value: str) -> str:
    return value


async def test_answers_come_in_order() -> None:
    assert await together(done("a"), done("b"), done("c")) == ("a", "b", "c")


async def test_a_failure_ends_the_others_before_it_is_told() -> None:
    ended: list[str] = []

    async def waiting() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            ended.append("waiting")

    async def failing() -> None:
        await asyncio.sleep(0)
        raise ValueError("failed")

    with pytest.raises(ValueError, match="failed"):
        await together(waiting(), failing(), waiting())
    assert ended == ["waiting", "waiting"]
