"""A view of the file system in which unsaved texts lie over the files."""

from __future__ import annotations

import os
import stat

from mypy.fscache import FileSystemCache
from mypy.util import hash_digest

_FUTURE = 4_000_000_000
"""Times of overlaid texts: later than any file's, so that no cache takes one for the file."""


class Overlay(FileSystemCache):
    """Texts by absolute path; None hides a file. Everything else is the disk, as mypy caches it."""

    def __init__(self) -> None:
        self._texts: dict[str, bytes | None] = {}
        self._stats: dict[str, os.stat_result] = {}
        self._names: frozenset[str] = frozenset()
        self._changes = 0
        super().__init__()

    def put(self, path: str, text: str | None) -> None:
        """Lay a text over a file, or hide the file."""
        self._forget(path)
        self._changes += 1
        self._texts[path] = data = None if text is None else text.encode("utf-8", "surrogatepass")
        if data is not None:
            self._stats[path] = self._stat(path, len(data))
        self._names = frozenset(map(os.path.basename, self._texts))

    def remove(self, path: str) -> None:
        """Take a text away: the file counts again."""
        self._texts.pop(path, None)
        self._forget(path)
        self._names = frozenset(map(os.path.basename, self._texts))

    def text(self, path: str) -> str | None:
        """The text at a path, from the overlay or the disk; None when there is none that can be decoded."""
        data = self._texts.get(path)
        try:
            if path not in self._texts:
                data = super().read(path)
            return None if data is None else data.decode()
        except (OSError, UnicodeDecodeError):
            return None

    def paths(self) -> tuple[str, ...]:
        """The paths that something lies over."""
        return tuple(self._texts)

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

    def _stat(self, path: str, size: int) -> os.stat_result:
        number, now = hash(path) & 0x7FFFFFFF, _FUTURE + self._changes
        return os.stat_result([stat.S_IFREG | 0o644, number, 0, 1, 0, 0, size, now, now, now])

    def _laid(self, path: str) -> str | None:
        """The key of what lies over `path`; None when it is the disk's. Most paths are told by their name."""
        if os.path.basename(path) not in self._names:
            return None
        full = os.path.abspath(path)
        return full if full in self._texts else None

    def stat_or_none(self, path: str) -> os.stat_result | None:
        """The status of a file; of a text: a regular file of its size."""
        key = self._laid(path)
        return super().stat_or_none(path) if key is None else self._stats.get(key)

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
        return super().hash_digest(path) if self._laid(path) is None else hash_digest(self.read(path))

    def exists(self, path: str, real_only: bool = False) -> bool:
        """Whether there is a file or text. A text is not `real`: so mypy's parser asks us for it."""
        key = self._laid(path)
        if key is None:
            return super().exists(path, real_only)
        return not real_only and self._texts[key] is not None

    def listdir(self, path: str) -> list[str]:
        """The names in a folder, with those of texts and without hidden ones."""
        names = super().listdir(path)
        here = {p: t for p, t in self._texts.items() if os.path.dirname(p) == os.path.abspath(path)}
        if not here:
            return names
        hidden = {os.path.basename(p) for p, text in here.items() if text is None}
        more = {os.path.basename(p) for p, text in here.items() if text is not None}
        return [*(n for n in names if n not in hidden and n not in more), *sorted(more)]
