"""A view of the file system in which unsaved texts lie over the files."""

from __future__ import annotations

import os
import stat

from mypy.fscache import FileSystemCache
from mypy.util import hash_digest

from gateline.services.types.messages import Texts

_FUTURE = 1 << 52
"""Times of overlaid texts, in microseconds: later than any file's, and exact as a floating-point number."""


class Overlay(FileSystemCache):
    """Texts by absolute path; None hides a file. Everything else is the disk, as mypy caches it.

    mypy takes a file for unchanged when its size and its time in whole seconds are those in its cache. Two
    edits within a second, or two texts at one path, would be mistaken for each other. So here the time of a
    file is told in microseconds, and the time of a text is made of its content.
    """

    def __init__(self, *, apart: bool = False) -> None:
        """Over nothing yet. `apart`: equal texts at two paths have two digests.

        mypy repeats what its cache says of a module for another file of the same name and digest, under the
        path of the first.
        """
        self._apart = apart
        self._texts: dict[str, bytes | None] = {}
        self._stats: dict[str, os.stat_result] = {}
        self._folders: dict[str, dict[str, bool]] = {}
        """By folder: the names of what lies over it, and whether each is there or hidden."""
        self._names: dict[str, int] = {}
        """How many paths with this last part something lies over."""
        super().__init__()

    def put(self, path: str, text: str | None) -> None:
        """Lay a text over a file, or hide the file."""
        self.remove(path)
        # Half a character, which an editor may send, is nothing that mypy can read: a mark stands in for it.
        self._texts[path] = data = None if text is None else text.encode("utf-8", "replace")
        if data is not None:
            self._stats[path] = _status(path, data)
        folder, name = os.path.split(path)
        self._folders.setdefault(folder, {})[name] = data is not None
        self._names[name] = self._names.get(name, 0) + 1

    def remove(self, path: str) -> None:
        """Take a text away: the file counts again."""
        if path in self._texts:
            folder, name = os.path.split(path)
            del self._texts[path], self._folders[folder][name]
            self._names[name] -= 1
            if not self._names[name]:
                del self._names[name]
        self._forget(path)

    def clear(self) -> None:
        """Take all texts away, and forget what was read of the disk."""
        for path in tuple(self._texts):
            self.remove(path)
        self.flush()

    def covers(self, path: str) -> bool:
        """Whether something lies over the file at a path."""
        return path in self._texts

    def text(self, path: str) -> str | None:
        """The text at a path, from the overlay or the disk; None when there is none that can be decoded."""
        data = self._texts.get(path)
        try:
            if path not in self._texts:
                data = super().read(path)
            return None if data is None else data.decode()
        except (OSError, UnicodeDecodeError):
            return None

    def _forget(self, path: str) -> None:
        self._stats.pop(path, None)
        for key in (path, os.path.relpath(path)):
            for known in (
                self.stat_or_none_cache,
                self.read_cache,
                self.hash_cache,
                self.read_error_cache,
                self.isfile_case_cache,
            ):
                known.pop(key, None)

    def _laid(self, path: str) -> str | None:
        """The key of what lies over `path`; None when it is the disk's. Most paths are told by their name."""
        if os.path.basename(path) not in self._names:
            return None
        full = os.path.abspath(path)
        return full if full in self._texts else None

    def stat_or_none(self, path: str) -> os.stat_result | None:
        """The status of a file, its times in microseconds; of a text: a regular file of its size."""
        key = self._laid(path)
        if key is not None:
            return self._stats.get(key)
        known = path in self.stat_or_none_cache
        found = super().stat_or_none(path)
        if found is not None and not known:
            self.stat_or_none_cache[path] = found = _in_microseconds(found)
        return found

    def read(self, path: str) -> bytes:
        """The content of a file or text."""
        key = self._laid(path)
        if key is None:
            return super().read(path)
        data = self._texts[key]
        if data is None:
            raise FileNotFoundError(path)
        return data

    def hash_digest(self, path: str) -> str:
        """The digest of a file or text."""
        key = self._laid(path)
        if key is None:
            return super().hash_digest(path)
        return hash_digest(self.read(path) + (key.encode(errors="replace") if self._apart else b""))

    def exists(self, path: str, real_only: bool = False) -> bool:
        """Whether there is a file or text. A text is not `real`: so mypy's parser asks us for it."""
        key = self._laid(path)
        if key is None:
            return super().exists(path, real_only)
        return not real_only and self._texts[key] is not None

    def listdir(self, path: str) -> list[str]:
        """The names in a folder, with those of texts and without hidden ones."""
        names = super().listdir(path)
        here = self._folders.get(os.path.abspath(path))
        if not here:
            return names
        return [*(n for n in names if n not in here), *sorted(n for n, there in here.items() if there)]


def put_all(overlay: Overlay, root: str, texts: Texts) -> list[str]:
    """Lay texts over files below a root; their absolute paths, in order."""
    paths = {os.path.join(root, *name.split("/")): text for name, text in texts.items()}
    for path, text in paths.items():
        overlay.put(path, text)
    return list(paths)


def _status(path: str, data: bytes) -> os.stat_result:
    number, time = hash(path) & 0x7FFFFFFF, _FUTURE + int(hash_digest(data)[:12], 16)  # 48 of 52 bits
    return os.stat_result([stat.S_IFREG | 0o644, number, 0, 1, 0, 0, len(data), time, time, time])


def _in_microseconds(found: os.stat_result) -> os.stat_result:
    times = (t // 1000 for t in (found.st_atime_ns, found.st_mtime_ns, found.st_ctime_ns))
    return os.stat_result([*found[:7], *times])
