"""The project's files as they are now: unsaved texts before those on disk, read again when they changed."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.services.tests.far.configuration import for_tests
from gateline.services.tests.far.contents.encodings import digest, encoded
from gateline.services.tests.overlay import Blob, Content, Overlay
from gateline.testing.staleness import Now

_LARGE = 1 << 20
"""Bytes; of larger files that no test was seen to read only time and size are compared."""
_Stamp = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Read:
    """A file, and its time and size when it was read."""

    stamp: _Stamp
    digest: str
    """Of what concerns tests."""
    whole: str
    """Of all that is in it."""
    text: str | None
    """None when it is not Python, or cannot be decoded."""

    @property
    def seen(self) -> str:
        """What tells it from others of the project's files."""
        return _seen(self.stamp) if self.stamp[1] > _LARGE else self.whole


class Contents:
    """Reads below one root. Blocks."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, Path] = {}
        """By path: made once, because each is asked for at every look."""
        self._known: dict[str, _Read] = {}

    def now(self, paths: Iterable[str], overlay: Overlay, files: Iterable[str] = ()) -> Now:
        """These files, and those that unsaved texts lie over; what is not there is left out.

        `files` are all that the project has, where that is known.
        """
        spoken_of, listed = {*paths, *overlay}, {*files}
        digests, texts, whole, project = {}, {}, {}, {}
        for path in spoken_of | listed:
            is_asked = path in spoken_of or path.endswith(".py")
            read = _laid(path, overlay[path]) if path in overlay else self._read(path, is_asked=is_asked)
            if read is None:
                continue
            if path in listed or path in overlay:
                project[path] = read.seen
            if not is_asked:
                continue
            digests[path] = read.digest
            if read.whole != read.digest:
                whole[path] = read.whole
            if read.text is not None:
                texts[path] = read.text
        return Now(digests, texts, whole, project if listed else None)

    def _read(self, path: str, *, is_asked: bool) -> _Read | None:
        file = self._files.get(path)
        if file is None:
            file = self._files[path] = self._root / path
        try:
            status = file.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._known.get(path)
            if known is None or known.stamp != stamp or (is_asked and not known.digest):
                known = self._known[path] = _file(path, file, stamp, is_asked=is_asked)
        except OSError:
            self._known.pop(path, None)
            return None
        return known


def _file(path: str, file: Path, stamp: _Stamp, *, is_asked: bool) -> _Read:
    if stamp[1] > _LARGE and not is_asked:
        return _Read(stamp, "", "", None)
    return _read(path, stamp, file.read_bytes())


def _seen(stamp: _Stamp) -> str:
    return "{} {}".format(*stamp)


def _laid(path: str, content: Content) -> _Read | None:
    """What lies over the disk, as the far side writes it."""
    match content:
        case None:
            return None
        case str():
            data = encoded(content)
            return replace(_read(path, (0, 0), data), text=content)
        case bytes():
            return _read(path, (0, 0), content)
        case Blob():
            return _read(path, (0, 0), content.data)


def _read(path: str, stamp: _Stamp, data: bytes) -> _Read:
    """A content by its names, as the far side gives them."""
    said = for_tests(path, data)
    whole = digest(data)
    named = whole if said is data else digest(said)
    return _Read(stamp, named, whole, _decoded(data) if path.endswith(".py") else None)


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode(tokenize.detect_encoding(io.BytesIO(data).readline)[0])
    except (SyntaxError, LookupError, UnicodeDecodeError):
        return None
