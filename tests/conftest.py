"""What many tests need: a repository that knows nothing of the machine it is on."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from repositories import Repository


@pytest.fixture
def quiet_git(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No configuration of the person or the machine takes part."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path_factory.getbasetemp()))


@pytest.fixture
def repository(tmp_path: Path, quiet_git: None) -> Repository:
    """An empty repository whose branch is called main."""
    folder = tmp_path / "project"
    folder.mkdir()
    made = Repository(folder)
    made.git("init", "--quiet", "--initial-branch", "main")
    return made


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --update tests/cases` writes what was found into the text cases."""
    parser.addoption("--update", action="store_true", help="write what was found into the text cases")
