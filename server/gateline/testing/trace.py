"""What one test executed, and of which contents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Arc = tuple[int, int]
"""A step from one zero-based line to another; `-n` is the outside of the code that begins on line `n`,
counted from 1."""


@dataclass(frozen=True, slots=True)
class Executed:
    """The executed lines of one content of a file."""

    digest: str
    """Of the content, as `model.digest_of` gives it."""
    lines: int
    """A number whose bit `n` says that zero-based line `n` was executed."""
    arcs: frozenset[Arc] | None = None
    """The steps between lines; None where they were not asked for."""

    def touches(self, lines: int) -> bool:
        """Whether any of these lines (as bits) was executed."""
        return bool(self.lines & lines)

    def with_other(self, other: Executed) -> Executed:
        """Both together, of the same content."""
        arcs = None if self.arcs is None or other.arcs is None else self.arcs | other.arcs
        return Executed(other.digest, self.lines | other.lines, arcs)


@dataclass(frozen=True, slots=True)
class Touched:
    """What code touched: paths relative to the workspace, "" for the workspace itself, and dotted names."""

    read: frozenset[str] = frozenset()
    """Files that it opened, or looked for; of Python files those that it read as data."""
    listed: frozenset[str] = frozenset()
    """Folders."""
    sought: frozenset[str] = frozenset()
    """Modules that were not there to be imported."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One run of one test; with an empty `test`, what importing and collecting executed."""

    test: str
    files: Mapping[str, Executed] = field(default_factory=dict)
    """By path relative to the workspace."""
    read: frozenset[str] = frozenset()
    """Other files of the workspace that it opened, or looked for; Python files that it read as data."""
    programs: bool = False
    """It started programs: what those execute and read is not known."""
    contents: Mapping[str, str] = field(default_factory=dict)
    """The digests of what was in files that it read; not of those that were not there."""
    listed: frozenset[str] = frozenset()
    """Folders of the workspace."""
    sought: frozenset[str] = frozenset()
    """Modules that were not there to be imported."""
    modules: Mapping[str, Touched] = field(default_factory=dict)
    """What modules of the workspace touched while they were imported meanwhile, by their paths."""

    def with_other(self, other: Trace) -> Trace:
        """Both together."""
        files = dict(self.files)
        for path, executed in other.files.items():
            known = files.get(path)
            files[path] = executed if known is None else known.with_other(executed)
        both = self.modules, other.modules
        modules = both[0].keys() | both[1].keys()
        return Trace(
            self.test,
            files,
            self.read | other.read,
            self.programs or other.programs,
            {**self.contents, **other.contents},
            self.listed | other.listed,
            self.sought | other.sought,
            {path: together(one.get(path, Touched()) for one in both) for path in modules},
        )


def together(parts: Iterable[Touched]) -> Touched:
    """All that any of them touched."""
    every = list(parts)
    return Touched(
        frozenset().union(*(one.read for one in every)),
        frozenset().union(*(one.listed for one in every)),
        frozenset().union(*(one.sought for one in every)),
    )


def bits_of(lines: Iterable[int]) -> int:
    """Zero-based lines as one number."""
    found = 0
    for line in lines:
        found |= 1 << line
    return found


def lines_of(bits: int) -> frozenset[int]:
    """The zero-based lines in a number."""
    text = bin(bits)[:1:-1]
    return frozenset(line for line, bit in enumerate(text) if bit == "1")
