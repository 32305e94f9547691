"""What tests of commands start from."""

from __future__ import annotations

import pytest

from support.repositories import Repository


@pytest.fixture
def workspace(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Repository:
    """An empty repository in which commands are typed, with a state folder of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    monkeypatch.chdir(repository.folder)
    return repository
