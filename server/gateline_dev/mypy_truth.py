"""What mypy itself says: a process of its own, on a copy of the tree with the edits written into it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

_FLAGS = (
    "--no-error-summary",
    "--no-pretty",
    "--hide-error-context",
    "--show-column-numbers",
    "--no-color-output",
)
_ERROR = re.compile(
    r"(?P<path>.+?):(?P<line>\d+):(?:(?P<column>\d+):)? error: (?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?"
)
_BLOCKED = 2


class Row(NamedTuple):
    """One error as it can be compared. `line` and `column` are one-based."""

    path: str
    line: int
    column: int | None
    """None where mypy gives none, or a wrong one: on lines that are not ASCII."""
    code: str
    message: str


class BlockedError(Exception):
    """mypy could not check anything; the message is its."""


class Truth:
    """A copy of a project, and mypy run in it."""

    def __init__(self, project: Path, folder: Path, python: Path) -> None:
        self.root = folder / "tree"
        self._cache = folder / "cache"
        self._python = python
        self._clock = 1_000_000_000
        shutil.copytree(project, self.root)

    def write(self, texts: Mapping[str, str]) -> None:
        """Write texts; each gets a time of its own, in whole seconds, which is what mypy looks at."""
        for path, text in texts.items():
            file = self.root / path
            file.write_text(text, encoding="utf-8", newline="")
            self._clock += 2
            os.utime(file, (self._clock, self._clock))

    def rows(self, paths: Iterable[str], *, cold: bool = False) -> set[Row]:
        """The errors in these files when they are what is checked. Raises BlockedError."""
        cache = os.devnull if cold else str(self._cache)
        wanted = sorted(paths)
        where = [f"--cache-dir={cache}", f"--python-executable={self._python}"]
        run = subprocess.run(
            [sys.executable, "-m", "mypy", *_FLAGS, *where, *wanted],
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode >= _BLOCKED:
            raise BlockedError(run.stdout + run.stderr)
        found = filter(None, map(_ERROR.fullmatch, run.stdout.splitlines()))
        return {self._row(match) for match in found if match["path"] in wanted}

    def _row(self, match: re.Match[str]) -> Row:
        path, line = match["path"], int(match["line"])
        source = (self.root / path).read_text(encoding="utf-8").split("\n")[line - 1 : line]
        comparable = match["column"] and "".join(source).isascii()
        column = min(int(match["column"]), len(source[0]) + 1) if comparable else None
        return Row(path, line, column, match["code"] or "", match["text"])
