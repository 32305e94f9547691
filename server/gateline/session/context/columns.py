"""Columns of numbers and texts in one piece, in the form of safetensors, with a sum that tells damage.

What is read is not copied: the columns are views of the bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]

_ABOUT = "about"
_SUM = "~sum"
"""Behind all others: they are sorted by their kind, the smallest numbers last, and by name."""
_ROW = 4_096
"""Bytes that are added up as one: what is exchanged inside of them goes unnoticed."""
_KINDS = {"U8": np.uint8, "I8": np.int8, "I32": np.int32, "F32": np.float32}


def written(about: Mapping[str, Any], columns: Columns) -> bytes:
    """What JSON holds, and columns beside it."""
    # Imported here: who only reads does not wait for it.
    from safetensors.numpy import save

    parts = {name: np.ascontiguousarray(column) for name, column in columns.items()}
    parts[_ABOUT] = texts([json.dumps(about)])
    data = bytearray(save({**parts, _SUM: np.zeros(4, np.uint8)}))
    places = _Places(data)
    start, end = places.of(_SUM)
    data[start:end] = places.sum().to_bytes(4, "little")
    return bytes(data)


def about(data: bytes) -> Any:
    """What JSON held, of data that may be damaged. Raises ValueError, KeyError and TypeError."""
    start, end = _Places(data).of(_ABOUT)
    return json.loads(data[start:end])


def read(data: bytes, *, trusted: bool = False) -> dict[str, NDArray[Any]]:
    """The columns that were written. Raises ValueError, KeyError and TypeError for what is damaged.

    `trusted`: as far as their sizes tell, which is enough of a file that nobody writes.
    """
    places = _Places(data)
    start, end = places.of(_SUM)
    if not trusted and int.from_bytes(data[start:end], "little") != places.sum():
        raise ValueError("the checksum does not match the content")
    return {name: places.column(name) for name in places.head if name not in (_ABOUT, _SUM)}


def name_of(data: bytes) -> str:
    """Tells what was written from other columns. Raises ValueError, KeyError and TypeError."""
    start, end = _Places(data).of(_SUM)
    return data[start:end].hex()


class _Places:
    """Where the columns stand: eight bytes tell how long the head is, and the head tells the rest."""

    def __init__(self, data: bytes | bytearray) -> None:
        self._data = data
        self._begin = 8 + int.from_bytes(data[:8], "little")
        self.head: dict[str, Any] = json.loads(data[8 : self._begin])

    def of(self, name: str) -> tuple[int, int]:
        """Where a column begins and ends."""
        start, end = self.head[name]["data_offsets"]
        return self._begin + start, self._begin + end

    def column(self, name: str) -> NDArray[Any]:
        """A column, as a view."""
        start, end = self.of(name)
        kind = np.dtype(_KINDS[self.head[name]["dtype"]])
        found = np.frombuffer(self._data, kind, (end - start) // kind.itemsize, start)
        return found.reshape(self.head[name]["shape"])

    def sum(self) -> int:
        """Over all bytes before it, names and sizes among them.

        Most are added up, many numbers at a time, and the sums are checked: a third of the time.
        """
        start, end = self.of(_SUM)
        if end != len(self._data):
            raise ValueError("the checksum is not at the end")
        rows = np.frombuffer(self._data, np.uint64, start // _ROW * _ROW // 8).reshape(-1, _ROW // 8)
        with memoryview(self._data) as whole:
            return crc32(whole[rows.nbytes : start], crc32(rows.sum(axis=1).tobytes()))


def texts(many: Sequence[str], mark: str = "\n") -> NDArray[np.uint8]:
    """Texts, none of which holds the mark, as a column: one long one reads ten times as fast as many."""
    return np.frombuffer(mark.join(many).encode("utf-8", "surrogatepass"), np.uint8)


def texts_in(column: NDArray[Any], count: int, mark: str = "\n") -> list[str]:
    """The texts of a column. Raises ValueError when there are not so many."""
    found = column.tobytes().decode("utf-8", "surrogatepass").split(mark) if count else []
    if len(found) != count:
        raise ValueError(f"{len(found)} texts where {count} are expected")
    return found
