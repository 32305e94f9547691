"""The chunks of a segment as columns: objects are made only of those that are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, compress

import numpy as np
from numpy.typing import NDArray

from gateline.context.values import Chunk, Kind

_KINDS = tuple(Kind)


@dataclass(frozen=True, slots=True)
class Rows:
    """Chunks without docstring and body, by row."""

    kinds: NDArray[np.int32]
    names: Sequence[str]
    signatures: Sequence[str]
    lines: NDArray[np.int32]
    """The first and the last line of each."""

    @classmethod
    def of(cls, chunks: Sequence[Chunk]) -> Rows:
        """The rows of chunks, in their order."""
        lines = chain.from_iterable((chunk.first, chunk.last) for chunk in chunks)
        return cls(
            np.fromiter((int(chunk.kind) for chunk in chunks), np.int32, len(chunks)),
            [chunk.name for chunk in chunks],
            [chunk.signature for chunk in chunks],
            np.fromiter(lines, np.int32, 2 * len(chunks)).reshape(-1, 2),
        )

    @classmethod
    def joined(cls, parts: Sequence[Rows]) -> Rows:
        """Those of one part behind those of the other."""
        return cls(
            np.concatenate([np.zeros(0, np.int32), *(part.kinds for part in parts)]),
            list(chain.from_iterable(part.names for part in parts)),
            list(chain.from_iterable(part.signatures for part in parts)),
            np.concatenate([np.zeros((0, 2), np.int32), *(part.lines for part in parts)]),
        )

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, row: int) -> Chunk:
        first, last = self.lines[row].tolist()
        return Chunk(_KINDS[self.kinds[row]], self.names[row], first, last, self.signatures[row])

    def kept(self, mask: NDArray[np.bool_]) -> Rows:
        """Only those where the mask is set."""
        marks: Iterable[bool] = mask.tolist()
        names, signatures = compress(self.names, marks), compress(self.signatures, marks)
        return Rows(self.kinds[mask], list(names), list(signatures), self.lines[mask])
