"""Pointers of Git LFS: small texts in place of a content that is fetched later."""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Mapping
from pathlib import Path

from gateline.store.savepoints.shadow import Shadow

_SMALL = 1024
"""Bytes: a pointer is smaller."""
_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n"
)


def fetched(shadow: Shadow, blobs: Mapping[Path, str]) -> set[Path]:
    """The files whose blob is a pointer to what they hold: the content was fetched since, and is the same."""
    large = {file: blob for file, blob in blobs.items() if _size(file) >= _SMALL}
    sizes = shadow.sizes(large.values())
    texts = shadow.contents({blob for blob, size in sizes.items() if size < _SMALL})
    return {file for file, blob in large.items() if blob in texts and _points(texts[blob], file)}


def _points(data: bytes, file: Path) -> bool:
    found = _POINTER.fullmatch(data)
    if found is None or int(found[2]) != _size(file):
        return False
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest() == found[1].decode()


def _size(file: Path) -> int:
    """Bytes of a file; 0 for a link, and where only an unsaved text is."""
    try:
        found = file.lstat()
    except OSError:
        return 0
    return found.st_size if stat.S_ISREG(found.st_mode) else 0
