"""What the tests of the store are given."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gateline.store.database import Database
from gateline.store.folders import DATABASE
from gateline.store.worklogs import Worklogs
from support.repositories import Repository
from support.savepoint_desk import BEGIN, Desk


@pytest.fixture
def desk(repository: Repository, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    repository.commit("begin", **BEGIN)
    return Desk(repository, tmp_path_factory.mktemp("state"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / DATABASE


@pytest.fixture
def database(file: Path) -> Iterator[Database]:
    made = Database(file)
    yield made
    made.close()


@pytest.fixture
def worklogs(database: Database) -> Worklogs:
    return Worklogs(database)
