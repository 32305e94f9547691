"""Pointers of Git LFS: small texts in place of a content that is fetched later."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from gateline.store.savepoints.shadow import Shadow

_SMALL = 1024
"""Bytes: a pointer is smaller."""
_POINTER = re.compile(
    rb"version https://git-lfs\.github\.com/spec/v1\n(?:ext-.*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n"
)


def is_pointer_to(shadow: Shadow, blob: str, file: Path) -> bool:
    """Whether a blob is a pointer to what a file holds: the content was fetched since, and is the same."""
    size = file.lstat().st_size
    if file.is_symlink() or size < _SMALL or int(shadow.line("cat-file", "-s", blob)) >= _SMALL:
        return False
    found = _POINTER.fullmatch(shadow.run("cat-file", "blob", blob))
    if found is None or int(found[2]) != size:
        return False
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest() == found[1].decode()
