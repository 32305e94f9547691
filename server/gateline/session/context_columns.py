"""Columns of numbers in one file: a head of JSON that names them, then their bytes, as they are in memory.

Read as one piece and used where it lies: an archive is unpacked first, array by array.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, BinaryIO
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]

_MARK = b"gateline"
_WORD = 8
_FRONT = 32
"""Bytes: the mark, the size of the head, and a sum over all that follows."""
_ALIGNED = 16
"""Bytes: where a column begins."""


def write(file: BinaryIO, about: Mapping[str, Any], columns: Columns) -> None:
    """Write what JSON holds, and columns beside it. Raises OSError."""
    parts = {name: np.ascontiguousarray(column) for name, column in columns.items()}
    shapes = [(name, part.dtype.str, part.shape) for name, part in parts.items()]
    head = json.dumps({"about": about, "columns": shapes}).encode()
    head += b" " * _short(len(head))
    check = crc32(head)
    for part in parts.values():
        check = crc32(_padded(part), check)
    file.write((_MARK + _word(len(head)) + _word(check)).ljust(_FRONT, b"\0") + head)
    for part in parts.values():
        file.write(_padded(part))


def read(data: bytes) -> tuple[Any, Columns]:
    """What was written. Raises ValueError, KeyError and TypeError for what is damaged."""
    size, check = (int.from_bytes(data[n : n + _WORD], "little") for n in (len(_MARK), len(_MARK) + _WORD))
    if not data.startswith(_MARK) or crc32(memoryview(data)[_FRONT:]) != check:
        raise ValueError("other bytes than were written")
    start = _FRONT + size
    head = json.loads(data[_FRONT:start])
    columns = {}
    for name, kind, shape in head["columns"]:
        column = np.frombuffer(data, np.dtype(kind), prod(shape), start).reshape(shape)
        columns[name] = column
        start += column.nbytes + _short(column.nbytes)
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


def _word(number: int) -> bytes:
    return number.to_bytes(_WORD, "little")


def _padded(part: NDArray[Any]) -> bytes:
    return part.tobytes() + b"\0" * _short(part.nbytes)


def _short(size: int) -> int:
    """Bytes that are missing to where the next column may begin."""
    return -size % _ALIGNED
