"""What a file is to the search for secrets, told by its path."""

from __future__ import annotations

from pathlib import PurePosixPath

_LOCKS = frozenset(
    {
        "package-lock.json",
        "npm-shrinkwrap.json",
        "composer.lock",
        "pnpm-lock.yaml",
        "go.sum",
        "packages.lock.json",
        "package.resolved",
        "cartfile.resolved",
        "brewfile.lock.json",
        "conda-lock.yml",
    }
)
_DATA = frozenset({".lock", ".map", ".svg", ".css"})


def is_python(path: str) -> bool:
    """Whether a file is Python source."""
    return PurePosixPath(path).suffix.lower() in (".py", ".pyi", ".pyw")


def is_lock_file(path: str) -> bool:
    """Whether a program writes a file and fills it with hashes or encoded data."""
    parts = PurePosixPath(path)
    name = parts.name.lower()
    return (
        name in _LOCKS
        or parts.suffix.lower() in _DATA
        or (name.startswith("pylock") and name.endswith(".toml"))
    )
