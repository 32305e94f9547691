"""The project's files as they are now: unsaved texts before those on disk, read again when they changed."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gateline.services.tests.far.configuration import for_tests
from gateline.services.tests.far.encodings import digest, encoded
from gateline.services.tests.overlay import Blob, Content, Overlay
from gateline.testing.staleness import Now


@dataclass(frozen=True, slots=True)
class _Read:
    """A file, and its time and size when it was read."""

    stamp: tuple[int, int]
    digest: str
    text: str | None
    """None when it is not Python, or cannot be decoded."""


class Contents:
    """Reads below one root. Blocks."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, _Read] = {}

    def now(self, paths: Iterable[str], overlay: Overlay) -> Now:
        """These files, and those that unsaved texts lie over; what is not there is left out."""
        digests, texts = {}, {}
        for path in {*paths, *overlay}:
            read = _laid(path, overlay[path]) if path in overlay else self._read(path)
            if read is not None:
                digests[path] = read.digest
                if read.text is not None:
                    texts[path] = read.text
        return Now(digests, texts)

    def _read(self, path: str) -> _Read | None:
        file = self._root / path
        try:
            status = file.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._known.get(path)
            if known is None or known.stamp != stamp:
                known = self._known[path] = _read(path, stamp, file.read_bytes())
        except OSError:
            self._known.pop(path, None)
            return None
        return known


def _laid(path: str, content: Content) -> _Read | None:
    """What lies over the disk, as the far side writes it."""
    match content:
        case None:
            return None
        case str():
            return _Read((0, 0), _digest(path, encoded(content)), content)
        case bytes():
            return _read(path, (0, 0), content)
        case Blob():
            return _read(path, (0, 0), content.data)


def _read(path: str, stamp: tuple[int, int], data: bytes) -> _Read:
    return _Read(stamp, _digest(path, data), _decoded(data) if path.endswith(".py") else None)


def _digest(path: str, data: bytes) -> str:
    """As the far side names what it read."""
    return digest(for_tests(path, data))


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode(tokenize.detect_encoding(io.BytesIO(data).readline)[0])
    except (SyntaxError, LookupError, UnicodeDecodeError):
        return None
