"""The files of a workspace that can be asked about, and what stands in them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gateline.context.chunking.cutting import is_readable, is_test
from gateline.model import Document
from gateline.model.generated import says_generated
from gateline.session.workspace import reading
from gateline.session.workspace.excluding import excluding
from gateline.session.workspace.listing import Listing
from gateline.session.workspace.reading import Skipped

_VENDORED = frozenset(
    (
        "vendor",
        "_vendor",
        "vendored",
        "third_party",
        "site-packages",
        "bundled",
        "node_modules",
        ".git",
    )
)
_LONGEST_LINE = 5_000
"""Characters: a text with longer lines was made for machines."""
_LARGEST = 1_000_000
"""Bytes, whatever `max-file-size` allows: a larger text is data."""
_RACY = 2_000_000_000
"""Nanoseconds: a file written so shortly before it was read may have been written again in the same tick."""

Stamp = tuple[int, int, int]
"""Size, time of change in nanoseconds, and the number of the file: they tell whether it was written."""


@dataclass(frozen=True)
class ContextFiles:
    """What belongs to the context of a workspace. All methods block: call them in a thread."""

    root: Path
    listing: Listing
    max_size: int
    """Bytes above which a file is skipped."""
    exclude: tuple[str, ...] = ()

    def paths(self) -> list[str]:
        """All files that may hold context, sorted; git's ignored and excluded ones are not among them."""
        is_out = excluding(self.exclude)
        return [path for path in self.listing.files(is_wanted) if not is_out(path)]

    def wants(self, path: str) -> bool:
        """Whether a file of this path may hold context, as far as the path alone tells."""
        return is_wanted(path) and not excluding((*self.listing.exclude, *self.exclude))(path)

    def stamp(self, path: str) -> Stamp | None:
        """What tells whether a file was written since; None when there is no such regular file."""
        try:
            # A Path for each of ten thousand files would take longer than to ask for them.
            status = os.lstat(f"{self.root}/{path}")
        except OSError:
            return None
        is_regular = status.st_mode & 0o170000 == 0o100000
        return (status.st_size, status.st_mtime_ns, status.st_ino) if is_regular else None

    def settled(self, path: str) -> tuple[Document | None, Stamp | None]:
        """The same as `read`, and the stamp of a file whose next writing changes its stamp for certain."""
        stamp = self.stamp(path)
        document = self.read(path) if stamp is not None else None
        return document, stamp if stamp is not None and stamp[1] < time.time_ns() - _RACY else None

    def urgency(self, opened: Iterable[str]) -> Callable[[str], tuple[object, ...]]:
        """Orders paths: what is open, what stands beside it, tests last, and what was written last first."""
        buffers = frozenset(opened)
        folders = {_folder(path) for path in buffers}

        def of(path: str) -> tuple[object, ...]:
            stamp = self.stamp(path)
            written = -stamp[1] if stamp is not None else 0
            return path not in buffers, _folder(path) not in folders, is_test(path), written, path

        return of

    def read(self, path: str) -> Document | None:
        """The file's text; None for none, and for one that is too large, binary, or made by a program."""
        most = min(self.max_size, _LARGEST)
        if reading.is_python(path):
            found = reading.read(self.root, path, most)
        else:
            found = _text(self.root / path, path, most)
        return None if found is None or isinstance(found, Skipped) or not is_ours(found.text) else found


def is_wanted(path: str) -> bool:
    """Whether a path names text that people write, outside of folders for what others wrote."""
    return is_readable(path) and _VENDORED.isdisjoint(path.split("/")[:-1])


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def is_ours(text: str) -> bool:
    """Whether a person wrote a text, as far as it shows."""
    if "\0" in text or says_generated(text):
        return False
    return len(text) < _LONGEST_LINE or max(map(len, text.split("\n"))) < _LONGEST_LINE


def _text(file: Path, path: str, most: int) -> Document | None:
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > most:
            return None
        return Document(path, file.read_bytes().decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        return None


def laid_over(files: ContextFiles, buffers: Mapping[str, Document]) -> dict[str, Document]:
    """The open buffers that belong to the context."""
    return {path: one for path, one in buffers.items() if files.wants(path) and is_ours(one.text)}
