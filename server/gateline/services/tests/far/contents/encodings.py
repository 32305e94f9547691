"""Bytes and texts: by the encoding that a text declares, as Python reads it; and what a content is called."""

from __future__ import annotations

import codecs
import hashlib
import re

_CODING = re.compile(r"(?:[ \t\f]*(?:#[^\r\n]*)?\r?\n)?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)")
_HEAD = 400
"""Bytes in which the first two lines declare an encoding, if they do."""


def digest(data: bytes) -> str:
    """The name of a content, as `gateline.model.digest_of` gives it to its text; whatever its encoding."""
    return hashlib.blake2b(_plain(data), digest_size=16).hexdigest()


def decoded(data: bytes) -> str:
    """The text as Python reads it, with a stand-in for what cannot be decoded."""
    return _plain(data).decode("utf-8", "replace")


def encoded(text: str) -> bytes:
    """As Python will decode it: by the declaration in the first two lines, or UTF-8."""
    declared = _CODING.match(text)
    try:
        return text.encode(declared[1] if declared else "utf-8", "surrogatepass")
    except (LookupError, UnicodeError):
        return text.encode("utf-8", "surrogatepass")


def _plain(data: bytes) -> bytes:
    """A content in UTF-8 without a byte order mark; as it is where it cannot be decoded."""
    if data.startswith(codecs.BOM_UTF8):
        return data[len(codecs.BOM_UTF8) :]
    declared = _CODING.match(data[:_HEAD].decode("latin-1"))
    if declared is None:
        return data
    try:
        return data.decode(declared[1]).encode("utf-8", "surrogatepass")
    except (LookupError, UnicodeError):
        return data
