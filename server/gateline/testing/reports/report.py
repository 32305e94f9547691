"""A report as a value, and which of its files can be believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from gateline.testing.covered import Covered
from gateline.testing.outline import Exit


class ReportError(ValueError):
    """A text is no report, or a broken one; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Reported:
    """What a report says of one file. Lines are zero-based."""

    executed: frozenset[int] = frozenset()
    missed: frozenset[int] = frozenset()
    taken: tuple[Exit, ...] = ()
    """Some reports do not tell where a branch that was taken goes: then from its line to itself."""
    untaken: tuple[Exit, ...] = ()

    def covered(self, changed: Iterable[int]) -> Covered:
        """What it says of these lines."""
        lines = frozenset(changed)
        return Covered(
            executed=self.executed & lines,
            missed=self.missed & lines,
            stale=frozenset(),
            taken=tuple(way for way in self.taken if way.arc[0] in lines),
            untaken=tuple(way for way in self.untaken if way.arc[0] in lines & self.executed),
        )


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report."""

    files: Mapping[str, Reported]
    """By path as it stands in the report, with `/`."""
    made: float | None = None
    """When it was made, in seconds since 1970, if it says so."""
    sources: tuple[str, ...] = ()
    """Folders that paths may be relative to."""


def mapped(report: Report, root: str, files: Iterable[str]) -> dict[str, str]:
    """Which file of the workspace each path of a report means; what may mean several, or none, is left out.

    `root` is the workspace as the report's machine may have known it; `files` are relative to it.
    """
    known = set(files)
    endings: dict[str, list[str]] = {}
    for file in known:
        parts = PurePosixPath(file).parts
        for start in range(len(parts)):
            endings.setdefault("/".join(parts[start:]), []).append(file)
    found = {path: _meant(path, report.sources, root, known, endings) for path in report.files}
    return {path: file for path, file in found.items() if file is not None}


def _meant(
    path: str, sources: Iterable[str], root: str, known: set[str], endings: Mapping[str, list[str]]
) -> str | None:
    inside = root.rstrip("/") + "/"
    for candidate in (path, *(f"{source.rstrip('/')}/{path}" for source in sources)):
        relative = candidate.removeprefix(inside)
        if relative in known:
            return relative
    # Made elsewhere: the longest end of the path that is a file here, if it is only one.
    for candidate in (*(f"{source}/{path}" for source in sources), path):
        parts = PurePosixPath(candidate).parts
        for start in range(len(parts)):
            meant = endings.get("/".join(parts[start:]), [])
            if meant:
                return meant[0] if len(meant) == 1 else None
    return None


def usable(made: float, written: Mapping[str, float]) -> frozenset[str]:
    """The files that were not written after the report was made. Times are seconds since 1970."""
    return frozenset(path for path, time in written.items() if time <= made)
