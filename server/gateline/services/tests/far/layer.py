"""Writes a tree of files over a folder: contents, links, programs, and what is to be absent."""

from __future__ import annotations

import contextlib
import os
import shutil

LINK, EXECUTABLE = "120000", "100755"
"""Modes as git has them."""


def write(root: str, files: dict[str, bytes | None], modes: dict[str, str]) -> None:
    """Write these, by absolute path; None removes. Folders below `root` that nothing is left in go, too."""
    gone = sorted((path for path, data in files.items() if data is None), reverse=True)
    for path in gone:
        _remove(path)
        _prune(root, os.path.dirname(path))
    for path, data in files.items():
        if data is not None:
            _clear_way(path)
            _place(path, data, modes.get(path, ""))


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            os.unlink(path)


def _prune(root: str, folder: str) -> None:
    """A tree of git has no empty folders: one that stays could be imported as a namespace package."""
    while folder.startswith(os.path.join(root, "")):
        try:
            left = set(os.listdir(folder))
        except OSError:
            left = set()
        if left - {"__pycache__"}:
            return
        shutil.rmtree(folder, ignore_errors=True)
        folder = os.path.dirname(folder)


def _clear_way(path: str) -> None:
    """Make place where a file is to be that is a folder or a link now, or has a file above it."""
    folder = os.path.dirname(path)
    above = folder
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    if not os.path.isdir(above):
        os.unlink(above)
    os.makedirs(folder, exist_ok=True)
    if os.path.islink(path) or os.path.isdir(path):
        _remove(path)


def _place(path: str, data: bytes, mode: str) -> None:
    if mode == LINK:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        os.symlink(os.fsdecode(data), path)
        return
    with open(path, "wb") as file:
        file.write(data)
    if mode == EXECUTABLE:
        os.chmod(path, os.stat(path).st_mode | 0o111)
