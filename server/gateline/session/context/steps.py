"""Reads the files that have changed, some at a time: a question never waits for more than one step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateline.session.context.cutter import Cutter, Read
    from gateline.session.context.retriever import Retrieval

AT_ONCE = 60
"""Files of one step: about a tenth of a second."""
_OWN = 2
"""Steps that are done before a second process has begun."""
_MANY = 5
"""Steps from which on a second process is worth its start."""


class Steps:
    """What is to be read, in the order in which it is wanted. A second process cuts what is much."""

    def __init__(self, retrieval: Retrieval, stale: Sequence[str]) -> None:
        self._retrieval = retrieval
        self._waiting = [tuple(stale[start : start + AT_ONCE]) for start in range(0, len(stale), AT_ONCE)]
        self.are_few = len(self._waiting) <= 1
        self._done = 0
        self._heard: set[str] = set()
        """Files that were read for another reason meanwhile."""
        self._cutter = self._begun() if len(self._waiting) >= _MANY else None

    @property
    def left(self) -> int:
        """How many files are to be read."""
        return sum(map(len, self._waiting))

    def heard(self, paths: Iterable[str]) -> None:
        """These were read: what was cut of them before is old."""
        if self._waiting:
            self._heard.update(paths)

    def step(self) -> None:
        """Read some."""
        if not self._waiting:
            return
        self._done += 1
        if self._cutter is None or self._done <= _OWN:
            self._read(self._waiting.pop(0))
        elif self._cutter.is_ready():
            self._take(self._cutter.next(), self._waiting.pop(0))
        else:
            # From the other end: before the second process comes to it all is done.
            self._read(self._waiting.pop())
        if not self._waiting:
            self.close()

    def close(self) -> None:
        """What is left is not read."""
        self._waiting = []
        self._go_on_alone()

    def _read(self, batch: Iterable[str]) -> None:
        self._retrieval.update([path for path in batch if path not in self._heard])

    def _take(self, cut: list[Read] | None, batch: Iterable[str]) -> None:
        if cut is None:
            self._go_on_alone()
            self._read(batch)
        else:
            self._retrieval.take([one for one in cut if one[0] not in self._heard])

    def _go_on_alone(self) -> None:
        if self._cutter is not None:
            self._cutter.close()
            self._cutter = None

    def _begun(self) -> Cutter | None:
        from gateline.session.context.cutter import Cutter

        try:
            return Cutter(self._retrieval.files, self._waiting[_OWN:])
        except OSError:
            return None  # One process does it as well.
