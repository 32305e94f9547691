"""A git work tree to try things in."""

from __future__ import annotations

import subprocess
from pathlib import Path


class Repository:
    """A git work tree in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def git(self, *arguments: str) -> str:
        done = self._done(*arguments)
        done.check_returncode()
        return done.stdout.strip()

    def refused(self, *arguments: str) -> str:
        """What git says when it refuses."""
        done = self._done(*arguments)
        assert done.returncode, done.stdout
        return done.stdout + done.stderr

    def _done(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["git", "-c", "user.name=Test", "-c", "user.email=test@example.com", *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

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


def all_of(folder: Path) -> dict[str, bytes]:
    """Every byte below a folder, git's own included."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
