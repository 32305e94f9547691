"""What the tests of the store are given."""

from __future__ import annotations

import pytest

from repositories import Repository
from savepoint_desk import BEGIN, Desk


@pytest.fixture
def desk(repository: Repository, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    repository.commit("begin", **BEGIN)
    return Desk(repository, tmp_path_factory.mktemp("state"))
