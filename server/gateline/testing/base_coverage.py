"""What tests execute of the base: by file and function, and of all files together.

The base of a change is measured rarely, so that this is kept by its tree: whoever runs all tests of the base
gives traces and outlines to `measured`, and whoever judges a change asks a `BaseCoverages` for what is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from gateline.testing.outline import Outline
from gateline.testing.region import Region
from gateline.testing.trace import Arc, Trace, lines_of


@dataclass(frozen=True, slots=True)
class Counted:
    """How many lines and branches can be executed, and how many of them tests executed."""

    covered: int = 0
    executable: int = 0

    def __add__(self, other: Counted) -> Counted:
        return Counted(self.covered + other.covered, self.executable + other.executable)

    @property
    def share(self) -> float | None:
        """The covered ones among those that can be executed, 0-1; None where there are none."""
        return self.covered / self.executable if self.executable else None


@dataclass(frozen=True, slots=True)
class FunctionCoverage:
    """The lines and branches of one function's body."""

    symbol: str
    """Its qualified name."""
    line: int
    """Zero-based line of its `def`, which tells those of one name apart."""
    counted: Counted


@dataclass(frozen=True, slots=True)
class FileCoverage:
    """The lines and branches of one content of a file."""

    digest: str
    """Of the content, as `model.digest_of` gives it."""
    counted: Counted
    functions: tuple[FunctionCoverage, ...] = ()


@dataclass(frozen=True, slots=True)
class BaseCoverage:
    """What the tests of one tree execute of it. Files that no test imports are left out, as are tests."""

    files: Mapping[str, FileCoverage] = field(default_factory=dict)
    """By path."""
    whole: bool = True
    """False where of some files nothing certain is known: then there is no total."""

    @property
    def total(self) -> Counted:
        """Of all files together; of nothing where some are missing."""
        return sum((file.counted for file in self.files.values()), Counted()) if self.whole else Counted()

    def to_json(self) -> dict[str, Any]:
        """As plain lists and numbers, in the order of the paths."""
        files = {path: _file_to_json(self.files[path]) for path in sorted(self.files)}
        return {"whole": self.whole, "files": files}

    @classmethod
    def from_json(cls, read: Mapping[str, Any]) -> BaseCoverage:
        """The value that `to_json` wrote. Raises ValueError, TypeError or KeyError for anything else."""
        files = {str(path): _file_from_json(file) for path, file in read["files"].items()}
        return cls(files, bool(read["whole"]))


class BaseCoverages(Protocol):
    """Where coverage of bases is kept. Both methods may block."""

    def of_tree(self, tree: str) -> BaseCoverage | None:
        """What was kept for the tree with this name; None when it was never measured."""
        ...

    def keep(self, tree: str, coverage: BaseCoverage) -> None:
        """Keep it for the tree with this name."""
        ...


def measured(
    traces: Iterable[Trace],
    outlines: Mapping[str, Outline],
    digests: Mapping[str, str],
    regions: Mapping[str, tuple[Region, ...]],
) -> BaseCoverage:
    """What a run of all tests of one tree executed of the files in `outlines`.

    `traces` are those of the tests and of importing; `digests` and `regions` are those of the texts that the
    outlines were made from. A trace of another content counts for nothing. Where no trace tells steps of a
    file, its branches are left out, and so are its functions that have some.
    """
    lines: dict[str, int] = {}
    steps: dict[str, set[Arc]] = {}
    for trace in traces:
        for path, executed in trace.files.items():
            if path in outlines and executed.digest == digests.get(path):
                lines[path] = lines.get(path, 0) | executed.lines
                if executed.arcs is not None:
                    steps.setdefault(path, set()).update(executed.arcs)
    files = {}
    for path, bits in sorted(lines.items()):
        outline = outlines[path]
        reached = outline.executed(lines_of(bits))
        exits = _exits(outline, steps.get(path))
        files[path] = counted_file(digests[path], outline, reached, exits, regions.get(path, ()))
    return BaseCoverage(files)


def counted_file(
    digest: str,
    outline: Outline,
    executed: frozenset[int],
    exits: Mapping[Arc, bool],
    regions: Iterable[Region],
) -> FileCoverage:
    """Count a file and its functions; `exits` says of each branch that is known whether it was taken.

    A function with a branch that is not known is left out: its share would be one of something else.
    """

    def counted(region: Region | None) -> Counted:
        lines = [line for line in outline.statements if region is None or line in region]
        ways = [taken for arc, taken in exits.items() if region is None or arc[0] in region]
        return Counted(len(executed.intersection(lines)) + sum(ways), len(lines) + len(ways))

    unknown = {way.arc[0] for way in outline.exits if way.arc not in exits}
    known = [region for region in regions if not any(line in region for line in unknown)]
    functions = tuple(FunctionCoverage(r.symbol, r.line, counted(r)) for r in known)
    return FileCoverage(digest, counted(None), functions)


def _exits(outline: Outline, steps: set[Arc] | None) -> dict[Arc, bool]:
    taken = outline.taken(steps or ())
    known = outline.exits if steps is not None else ()
    return {way.arc: way.arc in taken or way.arc[0] in outline.partial for way in known}


def _file_to_json(file: FileCoverage) -> dict[str, Any]:
    functions = [[f.symbol, f.line, f.counted.covered, f.counted.executable] for f in file.functions]
    counted = [file.counted.covered, file.counted.executable]
    return {"digest": file.digest, "counted": counted, "functions": functions}


def _file_from_json(read: Mapping[str, Any]) -> FileCoverage:
    covered, executable = read["counted"]
    functions = tuple(
        FunctionCoverage(str(symbol), int(line), Counted(int(c), int(e)))
        for symbol, line, c, e in read["functions"]
    )
    return FileCoverage(str(read["digest"]), Counted(int(covered), int(executable)), functions)
