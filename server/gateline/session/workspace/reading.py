"""From a file's bytes to a document, or to the reason why not."""

from __future__ import annotations

import codecs
import io
import tokenize
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gateline.model import Document
from gateline.model.change import IS_BINARY

UNDECODABLE = "cannot be decoded"
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
PYTHON = (".py", ".pyi", ".pyw")


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is not analysed."""

    path: str
    reason: str


def is_python(path: str) -> bool:
    """Whether a path names Python source."""
    return PurePosixPath(path).suffix.lower() in PYTHON


def decode(path: str, data: bytes, max_size: int) -> Document | Skipped:
    """The text as Python itself would read it: UTF-8, a byte order mark, or a declared encoding."""
    if reason := too_large(len(data), max_size):
        return Skipped(path, reason)
    try:
        return Document(path, data.decode(_encoding(data)))
    except (SyntaxError, LookupError) as error:
        return Skipped(path, f"{UNDECODABLE}: {error.args[0] if error.args else error}")
    except UnicodeDecodeError as error:
        return Skipped(
            path, f"{UNDECODABLE} as {error.encoding}: byte 0x{data[error.start]:02x} at {error.start}"
        )


def decode_other(path: str, data: bytes) -> Document | Skipped:
    """The text of a file that is not Python, in whatever encoding; a binary file has none."""
    if data.startswith(_UTF_16):
        try:
            return Document(path, data.decode("utf-16"))
        except UnicodeDecodeError:
            return Skipped(path, IS_BINARY)
    if b"\0" in data:
        return Skipped(path, IS_BINARY)
    try:
        return Document(path, data.decode())
    except UnicodeDecodeError:
        return Document(path, data.decode("latin-1"))


def too_large(size: int, max_size: int) -> str:
    """Why so many bytes are not analysed; empty when they are."""
    if size <= max_size:
        return ""
    return f"{size / 1e6:.1f} MB is over max-file-size ({max_size / 1e6:.1f} MB)"


def _encoding(data: bytes) -> str:
    try:
        return tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError as error:
        # Also raised for a first line that is not UTF-8: decoding then says which byte it is.
        if "unknown encoding" in str(error) or "encoding problem" in str(error):
            raise
        return "utf-8"


def read(root: Path, path: str, max_size: int) -> Document | Skipped | None:
    """The file at `path` below `root`; None when there is none (or it is not a regular file)."""
    file = root / path
    try:
        if file.is_symlink() or not file.is_file():
            return None
        if reason := too_large(file.stat().st_size, max_size):
            return Skipped(path, reason)
        data = file.read_bytes()
    except OSError as error:
        return Skipped(path, f"cannot be read: {error.strerror}")
    return decode(path, data, max_size)


def with_plain_ends(text: str) -> str:
    """The text with a line feed at the end of each line."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
