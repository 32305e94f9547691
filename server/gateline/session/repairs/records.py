"""What became of repairs: which were offered, taken and taken back. Kept in the user's own folder alone."""

from __future__ import annotations

import json
import logging
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

from gateline.store.folders import user_state

log = logging.getLogger(__name__)

_ENOUGH = 10
"""Uses after which a pattern is judged by them."""
_OFTEN = 0.2
"""The share of uses that are taken back from which on a pattern is not preferred any more."""
_LARGEST = 500_000
"""Bytes of a file; what is older than two such files is forgotten."""


class Happened(StrEnum):
    """What is noted."""

    FOUND = "found"
    """A search for a repair found one that was verified."""
    MISSED = "missed"
    """A search found none."""
    OFFERED = "offered"
    ACCEPTED = "accepted"
    """A document became just what an offer would make of it."""
    UNDONE = "undone"
    """And then what it was before."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How often what happened, in all and by pattern."""

    counts: Mapping[tuple[str, Happened], int]

    def of(self, what: Happened, pattern: str | None = None) -> int:
        """How often something happened, to one pattern or to all."""
        return sum(n for (name, kind), n in self.counts.items() if kind is what and pattern in (None, name))

    @property
    def patterns(self) -> list[str]:
        """The patterns of which anything is known."""
        return sorted({name for name, _ in self.counts if name})

    @property
    def success(self) -> float | None:
        """The share of searches that found a repair; None before the first."""
        found, missed = self.of(Happened.FOUND), self.of(Happened.MISSED)
        return found / (found + missed) if found + missed else None

    def is_trusted(self, pattern: str) -> bool:
        """Whether a pattern may be preferred: people do not take it back too often."""
        used = self.of(Happened.ACCEPTED, pattern)
        return used < _ENOUGH or self.of(Happened.UNDONE, pattern) <= _OFTEN * used


class RepairRecords:
    """A file to which lines are added, by any number of servers at a time. All methods block."""

    def __init__(
        self, folder: Path | None = None, today: Callable[[], date] = lambda: datetime.now(UTC).date()
    ) -> None:
        """`folder` is gateline's folder in the user's state unless told otherwise."""
        self._file = (folder or user_state()) / "repairs.jsonl"
        self._old = self._file.with_suffix(".old.jsonl")
        self._today = today
        self._read: tuple[tuple[tuple[int, int], ...], Tally] | None = None

    def note(self, what: Happened, pattern: str = "") -> None:
        """Add a line. A folder that cannot be written to is no reason to fail: then nothing is kept."""
        row = json.dumps({"day": self._today().isoformat(), "what": what.value, "pattern": pattern})
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            if self._file.exists() and self._file.stat().st_size > _LARGEST:
                self._file.replace(self._old)
            # One write of a short line to a file opened for adding: nobody's lines are torn or lost. It
            # begins with the end of a line, for one that a server did not write to its end.
            descriptor = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(descriptor, f"\n{row}\n".encode())
            finally:
                os.close(descriptor)
        except OSError as error:
            log.warning("what became of a repair cannot be noted in %s: %s", self._file, error)

    def tally(self) -> Tally:
        """What is known now; read again when the files changed."""
        state = tuple(_state(file) for file in (self._old, self._file))
        if self._read is None or self._read[0] != state:
            rows = (row for file in (self._old, self._file) for row in _rows(file))
            self._read = state, Tally(Counter(rows))
        return self._read[1]


def _state(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except OSError:
        return (0, 0)
    return status.st_mtime_ns, status.st_size


def _rows(file: Path) -> Iterator[tuple[str, Happened]]:
    """The lines that can be read; others were written by nobody, or by a later version."""
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        try:
            row = json.loads(line)
            yield str(row["pattern"]), Happened(row["what"])
        except (ValueError, TypeError, LookupError):
            continue
