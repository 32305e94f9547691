"""A case of the corpus, as the one who repairs it sees it: the texts, the error, and how it was seen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from gateline.model import Origin, Problem, Span

DESCRIPTION = ".autodebug.json"
_READ = frozenset({".py", ".pyi", ".toml", ".txt", ".cfg", ".in", ".ini"})
UNKNOWN = "?"
"""The type of an error of which only the tests tell."""


@dataclass(frozen=True)
class Case:
    """A folder with a broken program."""

    folder: Path
    told: Mapping[str, Any]
    """What `.autodebug.json` says."""
    texts: Mapping[str, str]
    """The texts by path; bytes that are no UTF-8 are kept as surrogates."""

    @property
    def target(self) -> str:
        """The broken file."""
        return str(self.told["target"])

    @property
    def test_arguments(self) -> Sequence[str]:
        """What pytest is given to show the error; empty where no test does."""
        return self._after("pytest")

    @property
    def type_arguments(self) -> Sequence[str]:
        """What mypy is given to show the error; empty where it does not."""
        return self._after("mypy")

    def _after(self, module: str) -> Sequence[str]:
        entry = list(self.told["entry"] or ())
        return entry[entry.index(module) + 1 :] if module in entry else ()

    @property
    def failing(self) -> Sequence[str]:
        """The test that shows the error, as pytest names it; empty when none is told."""
        test = str(self.told["error"].get("test") or "")
        return [test] if "::" in test else []

    def is_protected(self, path: str) -> bool:
        """Whether a repair may not touch a path."""
        return path not in self.texts or any(fnmatch(path, pattern) for pattern in self.told["protected"])

    def reported(self) -> Problem | None:
        """The error as the corpus tells it; None when it only says that a test fails."""
        error = self.told["error"]
        if not error.get("line") or error["type"] == UNKNOWN:
            return None
        span = Span.of(error["line"] - 1, 0, error["line"], 0)
        return Problem(Origin.RUN, error["type"], error["message"], error["file"], span)

    def write(self, texts: Mapping[str, str]) -> None:
        """Put repaired texts in place."""
        for path, text in texts.items():
            (self.folder / path).write_bytes(encoded(text))


def encoded(text: str) -> bytes:
    """The bytes of a text as `read` decoded it."""
    return text.encode("utf-8", "surrogateescape")


def read(folder: Path) -> Case:
    """The case in a folder."""
    told = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
    return Case(folder, told, dict(_texts(folder)))


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for file in sorted(folder.rglob("*")):
        if file.suffix in _READ and "__pycache__" not in file.parts and file.is_file():
            name = file.relative_to(folder).as_posix()
            yield name, file.read_bytes().decode("utf-8", "surrogateescape")
