"""Writes a tree of files over a folder: contents, links, programs, what is to be absent, what was left."""

from __future__ import annotations

import contextlib
import os
import shutil
from typing import Iterable, Iterator

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


def keep_new(upper: str, root: str, laid: Iterable[str]) -> None:
    """Of what was written into the layer `upper`, keep what `root` does not have and was not `laid`."""
    laid = set(laid)
    above = {folder for path in laid for folder in _folders(path, root)}
    for folder, names, files in os.walk(upper, topdown=False):
        for name in (*files, *names):
            path = os.path.join(folder, name)
            real = root + path[len(upper) :]
            if os.path.isdir(path) and not os.path.islink(path):
                if real in above or os.path.lexists(real):
                    with contextlib.suppress(OSError):
                        os.rmdir(path)
            elif real in laid or os.path.lexists(real):
                os.unlink(path)


def _folders(path: str, root: str) -> Iterator[str]:
    while len(path) > len(root):
        path = os.path.dirname(path)
        yield path


def opened(folder: str) -> int | None:
    """A descriptor of a folder in which something is."""
    try:
        return os.open(folder, os.O_RDONLY) if os.listdir(folder) else None
    except OSError:
        return None


def carry(source: int | None, target: str) -> None:
    """Copy what an open folder holds, wherever nothing of that name is; closes it."""
    if source is not None:
        _copy(f"/proc/self/fd/{source}", target)
        os.close(source)


def _copy(source: str, target: str) -> None:
    with os.scandir(source) as entries:
        for entry in entries:
            path = os.path.join(target, entry.name)
            # A socket or a pipe cannot be copied.
            with contextlib.suppress(OSError, shutil.SpecialFileError):
                if entry.is_dir(follow_symlinks=False):
                    _copy_folder(entry.path, path)
                elif not os.path.lexists(path):
                    shutil.copy2(entry.path, path, follow_symlinks=False)


def _copy_folder(source: str, target: str) -> None:
    if not os.path.lexists(target):
        os.mkdir(target)
        shutil.copystat(source, target)
    _copy(source, target)
