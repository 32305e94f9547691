"""The lines of files that are not open: columns on them are counted in the client's units, too."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

_MOST = 32
"""Files whose lines are remembered."""
_LARGEST = 3_000_000
"""Bytes: lines of a larger file are not read, and count as plain ASCII."""

_Stamp = tuple[int, int]


class ClosedFiles:
    """Reads files when a finding points into them, and again only when they were written since."""

    def __init__(self) -> None:
        self._known: OrderedDict[Path, tuple[_Stamp, Sequence[str]]] = OrderedDict()

    def lines(self, file: Path) -> Sequence[str]:
        """The lines with their ends; none when the file is all ASCII or cannot be read."""
        stamp = _stamp(file)
        known = self._known.pop(file, None)
        if stamp is None:
            return ()
        self._known[file] = known if known and known[0] == stamp else (stamp, _read(file))
        if len(self._known) > _MOST:
            self._known.popitem(last=False)
        return self._known[file][1]


def _stamp(file: Path) -> _Stamp | None:
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def _read(file: Path) -> Sequence[str]:
    # Not before a session is there: the answer to `initialize` must not wait for this import.
    from gateline.session.workspace.reading import read

    found = read(file.parent, file.name, _LARGEST)
    lines: Sequence[str] | None = getattr(found, "lines", None)
    return () if lines is None or all(line.isascii() for line in lines) else lines
