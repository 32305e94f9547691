"""A workspace whose resident engine is started by whoever asks first, and ended with the module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import pytest

from gateline.resident.connection import Connection, connect
from support.engines import end_engines, without_types
from support.repositories import Repository

CART = 'def total(prices: list[int]) -> int:\n    """Add up."""\n    return sum(prices)\n'


@pytest.fixture(scope="module")
def environment() -> Iterator[None]:
    with without_types():
        yield


@pytest.fixture(scope="module")
def shop(environment: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Repository]:
    """A repository with one module, and the engines that were started for it."""
    made = Repository(tmp_path_factory.mktemp("shop"))
    made.git("init", "--quiet", "--initial-branch", "main")
    made.write("pyproject.toml", "[tool.gateline]\n")
    made.commit(**{"cart.py": CART})
    yield made
    end_engines(made.folder)


@pytest.fixture
def session(shop: Repository) -> Iterator[Connection]:
    """A connection to the engine; afterwards the work tree is as it was."""
    with connect(str(shop.folder), seconds=30) as made:
        yield made
    shop.git("reset", "--hard", "--quiet")
    shop.git("clean", "-fdq")
