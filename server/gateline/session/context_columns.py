"""Columns of numbers in one file: a head of JSON that names them, then their bytes, as they are in memory.

Read as one piece and used where it lies: an archive is unpacked first, array by array.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, BinaryIO
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]

_MARK = b"gateline"
_WORD = 8
_ALIGNED = 16
"""Bytes: where a column begins."""


def write(file: BinaryIO, about: Mapping[str, Any], columns: Columns) -> None:
    """Write what JSON holds, and columns beside it. Raises OSError."""
    parts = {name: np.ascontiguousarray(column) for name, column in columns.items()}
    check = 0
    for part in parts.values():
        check = crc32(_padded(part), check)
    shapes = [(name, part.dtype.str, part.shape) for name, part in parts.items()]
    head = json.dumps({"about": about, "columns": shapes, "check": check}).encode()
    head += b" " * _short(len(head))
    file.write(_MARK + len(head).to_bytes(_WORD, "little") + head)
    for part in parts.values():
        file.write(_padded(part))


def read(data: bytes) -> tuple[Any, Columns]:
    """What was written. Raises ValueError, KeyError and TypeError for what is damaged."""
    start = len(_MARK) + _WORD
    end = start + int.from_bytes(data[len(_MARK) : start], "little")
    if not data.startswith(_MARK):
        raise ValueError("another file")
    head = json.loads(data[start:end])
    if crc32(memoryview(data)[end:]) != head["check"]:
        raise ValueError("other bytes than were written")
    columns = {}
    for name, kind, shape in head["columns"]:
        count = int(np.prod(shape))
        column = np.frombuffer(data, np.dtype(kind), count, end).reshape(shape)
        columns[name] = column
        end += column.nbytes + _short(column.nbytes)
    return head["about"], columns


def texts(many: Sequence[str], mark: str = "\n") -> NDArray[np.uint8]:
    """Texts, none of which holds the mark, as a column: one long one reads ten times as fast as many."""
    return np.frombuffer(mark.join(many).encode("utf-8", "surrogatepass"), np.uint8)


def texts_in(column: NDArray[Any], count: int, mark: str = "\n") -> list[str]:
    """The texts of a column. Raises ValueError when there are not so many."""
    found = column.tobytes().decode("utf-8", "surrogatepass").split(mark) if count else []
    if len(found) != count:
        raise ValueError(f"{len(found)} texts in place of {count}")
    return found


def _padded(part: NDArray[Any]) -> bytes:
    return part.tobytes() + b"\0" * _short(part.nbytes)


def _short(size: int) -> int:
    """Bytes that are missing to where the next column may begin."""
    return -size % _ALIGNED
