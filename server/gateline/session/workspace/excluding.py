"""Which paths are left out: what is nobody's own work wherever it stands, and what the settings exclude."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

_NOBODYS = (
    ".git",
    ".venv",
    "venv",
    "node_modules",
    "__pycache__",
    ".tox",
    ".nox",
    ".mypy_cache",
    "build",
    "dist",
)
"""Folders."""


@lru_cache(maxsize=32)
def excluding(patterns: tuple[str, ...], *, always: bool = False) -> Callable[[str], bool]:
    """Tells of a path whether patterns of `.gitignore` exclude it; the path of a folder ends with a slash.

    `always`: folders that hold nobody's own work are out as well, unless a pattern takes them in again.
    """
    if not always:
        return _matched(patterns) if patterns else _nothing
    if any(pattern.startswith("!") for pattern in patterns):
        return _matched((*(f"{name}/" for name in _NOBODYS), *patterns))
    theirs = excluding(patterns)
    # Most projects exclude nothing more, and ten patterns for each of ten thousand paths take a while.
    return lambda path: not _FOLDERS.isdisjoint(path.split("/")[:-1]) or theirs(path)


_FOLDERS = frozenset(_NOBODYS)


def _nothing(path: str) -> bool:
    return False


def _matched(patterns: tuple[str, ...]) -> Callable[[str], bool]:
    import pathspec

    return pathspec.GitIgnoreSpec.from_lines(patterns).match_file
