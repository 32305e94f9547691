"""What an editor notices of a workspace: files that came, went or were written, and git's own."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

Seen = Mapping[str, tuple[int, int]]
"""By path: what tells that a file was written."""
_WATCHED = (".py", ".pyi", ".toml")
_CREATED, _CHANGED, _DELETED = 1, 2, 3


def seen(root: Path) -> Seen:
    """All watched files."""
    return {path: stamp for path in _watched(root) if (stamp := _stamp(root / path)) is not None}


def contents(root: Path) -> dict[str, bytes]:
    """All watched files, without git's own."""
    return {p: (root / p).read_bytes() for p in _watched(root) if not p.startswith(".git/")}


def differences(before: Seen, after: Seen) -> Iterator[tuple[str, int]]:
    """The paths that differ, with the protocol's number for how."""
    for path in sorted({*before, *after}):
        if path not in after:
            yield path, _DELETED
        elif path not in before:
            yield path, _CREATED
        elif before[path] != after[path]:
            yield path, _CHANGED


def _stamp(file: Path) -> tuple[int, int] | None:
    with contextlib.suppress(OSError):
        found = file.stat()
        return found.st_mtime_ns, found.st_ino
    return None


def _watched(root: Path) -> Iterator[str]:
    for folder, names, files in os.walk(root):
        inside = Path(folder).relative_to(root).as_posix()
        if inside == ".git":
            names[:] = ["refs"]
            files = [name for name in files if name in ("HEAD", "index", "packed-refs")]
        elif not inside.startswith(".git/"):
            files = [name for name in files if name.endswith(_WATCHED)]
        yield from (name if inside == "." else f"{inside}/{name}" for name in files)
