"""Writes repaired texts into their files: each in its own encoding, and only over what it was made from."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Mapping
from pathlib import Path

from gateline.session.errors import UsageError


def write(root: Path, before: Mapping[str, str], after: Mapping[str, str]) -> None:
    """Write every text of `after` below `root`. Blocks.

    Raises UsageError, before anything is written, when a file holds another text than `before` or cannot
    hold the new one; and when the disk refuses.
    """
    ready = {path: _encoded(root / path, before[path], text) for path, text in after.items()}
    for path, data in ready.items():
        try:
            (root / path).write_bytes(data)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def _encoded(file: Path, before: str, text: str) -> bytes:
    """The bytes of a new text. Raises UsageError."""
    try:
        data = file.read_bytes()
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        if file.is_symlink() or data.decode(encoding) != before:
            raise UsageError(
                f"{file} changed after it was repaired; nothing was written; run the command again"
            )
        return text.encode(encoding)
    except (OSError, SyntaxError, UnicodeError, LookupError) as error:
        raise UsageError(f"{file} cannot be rewritten: {error}; nothing was written") from error
