"""Compiled modules of the project, kept between collections: above all those with rewritten asserts.

Rewriting can take most of the time of a collection. No `.pyc` of the project takes part (see `texts`), so a
file in the user's cache does, by the content of each module. It is opened before the sandbox closes, and
written in place when the tests are collected; one that was cut short, or is another's, is made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import marshal
import os
import sys
from typing import Any, Callable

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_LARGEST = 32_000_000
"""Bytes; what was not used by this collection is dropped first."""
_SIZE = 20


class Compiled:
    """The code of modules by their content; without a file nothing is kept."""

    def __init__(self, path: str) -> None:
        self._file = _opened(path)
        self._known: dict[bytes, bytes] = _read(self._file) if self._file is not None else {}
        self._used: set[bytes] = set()
        self._is_new = False

    def made(self, kind: str, data: bytes, filename: str, make: Callable[[], Any]) -> Any:
        """What is made of a module; `kind` names the way. Kept where it is code and other plain values."""
        if self._file is None:
            return make()
        key = _key(kind, data, filename)
        self._used.add(key)
        if key in self._known:
            return marshal.loads(self._known[key])
        made = make()
        with contextlib.suppress(ValueError):
            self._known[key], self._is_new = marshal.dumps(made), True
        return made

    def save(self) -> None:
        """Keep what was made."""
        if self._file is None or not self._is_new:
            return
        try:
            _write(self._file, self._kept())
            self._is_new = False
        except (OSError, ValueError):
            # A full disk; the checksum tells the next reader.
            return

    def _kept(self) -> dict[bytes, bytes]:
        kept: dict[bytes, bytes] = {}
        size = 0
        for key in sorted(self._known, key=lambda key: key not in self._used):
            size += len(self._known[key])
            if size > _LARGEST:
                break
            kept[key] = self._known[key]
        return kept


def _key(kind: str, data: bytes, filename: str) -> bytes:
    made = (kind, filename, sys.version, str(sys.flags.optimize), str(importlib.util.MAGIC_NUMBER))
    return hashlib.blake2b(b"\0".join([*map(os.fsencode, made), data]), digest_size=_SIZE).digest()


def _opened(path: str) -> Any:
    if not path or fcntl is None:
        return None
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        return open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+b", buffering=0)
    except OSError:
        return None


def _read(file: Any) -> dict[bytes, bytes]:
    try:
        fcntl.flock(file, fcntl.LOCK_SH)
        try:
            file.seek(0)
            data = file.read()
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)
        sum_, content = data[:_SIZE], data[_SIZE:]
        if sum_ != hashlib.blake2b(content, digest_size=_SIZE).digest():
            return {}
        found = marshal.loads(content)
        return found if isinstance(found, dict) else {}
    except (OSError, ValueError, EOFError, TypeError):
        return {}


def _write(file: Any, known: dict[bytes, bytes]) -> None:
    content = marshal.dumps(known)
    fcntl.flock(file, fcntl.LOCK_EX)
    try:
        file.seek(0)
        file.truncate()
        file.write(hashlib.blake2b(content, digest_size=_SIZE).digest() + content)
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)
