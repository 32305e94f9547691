"""What many tests need: a repository that knows nothing of the machine it is on."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest


class Repository:
    """A git work tree in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def git(self, *arguments: str) -> str:
        command = ["git", "-c", "user.name=Test", "-c", "user.email=test@example.com", *arguments]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def commit(self, message: str = "change", **files: str) -> str:
        for path, text in files.items():
            self.write(path, text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")


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
