"""What mypy says of a case, from a process in which it is warm."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from gateline.model import Origin, Problem, Span

FAR = Path(__file__).parent / "far" / "checking.py"
_ROW = re.compile(
    r"^(?P<path>[^:\n]+):(?P<line>\d+):(?P<column>\d+):(?P<last>\d+):(?P<end>\d+): error: "
    r"(?P<message>.*?)(?:  \[(?P<code>[\w-]+)\])?$",
    re.MULTILINE,
)
_FLAGS = ("--show-column-numbers", "--show-error-end")


class TypeChecker:
    """mypy in the corpus's interpreter. Use as a context."""

    def __init__(self, python: str) -> None:
        self._python = python
        self._cache = tempfile.TemporaryDirectory(prefix="autodebug-mypy-")
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._cache.cleanup()

    def check(self, root: Path, arguments: Sequence[str]) -> tuple[Problem, ...]:
        """The errors it reports, in its order; what it knows of libraries is kept between cases."""
        if self._process is None:
            self._process = subprocess.Popen(
                [self._python, str(FAR)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        assert self._process.stdin
        assert self._process.stdout
        given = [*arguments[:-1], *_FLAGS, "--cache-dir", self._cache.name, arguments[-1]]
        self._process.stdin.write(json.dumps({"root": str(root), "arguments": given}) + "\n")
        self._process.stdin.flush()
        return tuple(map(_problem, _ROW.finditer(json.loads(self._process.stdout.readline()))))


def _problem(row: re.Match[str]) -> Problem:
    line, column, last, end = (int(row[name]) for name in ("line", "column", "last", "end"))
    span = Span.of(line - 1, column - 1, last - 1, end)
    return Problem(Origin.TYPES, row["code"] or "misc", row["message"], row["path"], span)
