"""What tests of sessions start from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from support.checking_desk import Desk
from support.context_bench import CODE, Bench
from support.tiny_model import tiny_model


@pytest.fixture(autouse=True)
def forked_here(forked: None) -> None:
    """Children begin as forks: a session's answers are tested here, not the starts of its processes."""


@pytest.fixture
def desk() -> Iterator[Desk]:
    """Nothing is open."""
    made = Desk()
    yield made
    made.analysis.stop()


@pytest.fixture
async def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bench]:
    """A workspace of a hundred functions, and a tiny model beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "no-models"))
    root = tmp_path / "shop"
    root.mkdir()
    (root / "shop.py").write_text(CODE)
    tiny_model(tmp_path / "model")
    bench = Bench(root, tmp_path / "embedded.txt")
    yield bench
    for service in bench.services:
        await service.stop()
