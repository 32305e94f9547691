"""Embedding rests while somebody types or asks, but for what belongs to an edit."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from gateline.services.child import Child
from gateline.services.embedding.requests import Embed, Load, Made
from gateline.services.embedding.weights import Weights
from gateline.session.context.embedding import Embedding
from gateline.session.context.requests import EmbedFew, Pending, Supply
from gateline.session.live.idle import Calm
from support.checking_desk import settle


class Still(Calm):
    """Somebody is at it until the test says otherwise."""

    def __init__(self) -> None:
        self.now = asyncio.Event()

    async def wait(self, quiet: float, most: float = 0.0) -> None:
        await self.now.wait()


class Index:
    """Wants vectors of so many texts."""

    def __init__(self, texts: int) -> None:
        self.left = [(str(number), f"text {number}") for number in range(texts)]

    async def ask(self, request: object) -> Any:
        if isinstance(request, EmbedFew):
            self.left = self.left if len(self.left) > request.most else []
        if isinstance(request, Pending):
            return self.left[: request.most]
        if isinstance(request, Supply):
            self.left = [one for one in self.left if one[0] not in request.keys]
        return len(self.left)


class Embedder:
    """Notes how many texts each errand had."""

    pid, starts = 1, 1

    def __init__(self) -> None:
        self.errands: list[int] = []

    async def ask(self, request: Load | Embed, timeout: float) -> object:
        if isinstance(request, Load):
            return "scripted"
        self.errands.append(len(request.texts))
        return Made(1, b"\0\0" * len(request.texts))

    async def stop(self) -> None: ...


@pytest.mark.parametrize(
    ("texts", "meanwhile", "then"),
    [
        pytest.param(5, [5], [5], id="what an edit brought is embedded at once"),
        pytest.param(70, [], [32, 32, 6], id="a whole index waits"),
    ],
)
async def test_embedding_rests_while_somebody_types(
    texts: int, meanwhile: list[int], then: list[int]
) -> None:
    embedder, calm = Embedder(), Still()
    embedding = Embedding(Index(texts).ask, cast("Child", embedder), calm)
    embedding._weights = Weights(Path("model"), "scripted")
    work = asyncio.ensure_future(embedding._embed_all())
    await settle()
    assert embedder.errands == meanwhile
    calm.now.set()
    await work
    assert embedder.errands == then


@pytest.mark.parametrize(
    ("texts", "errands"),
    [
        pytest.param(5, [], id="what an edit brought is embedded beside the index"),
        pytest.param(20, [20], id="what is more is not"),
    ],
)
async def test_where_all_was_embedded_an_edit_waits_for_no_process(texts: int, errands: list[int]) -> None:
    embedder, calm, index = Embedder(), Still(), Index(texts)
    calm.now.set()
    embedding = Embedding(index.ask, cast("Child", embedder), calm)
    embedding._weights = Weights(Path("model"), "scripted")
    embedding.state.state = "ready"
    await embedding._embed_all()
    assert embedder.errands == errands
    assert index.left == []
    assert embedding.state.state == "ready"
