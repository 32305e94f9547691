"""lcov's tracefiles: `SF:` begins a file, `DA:` is a line, `BRDA:` a branch."""

from __future__ import annotations

from gateline.testing.outline import Exit
from gateline.testing.reports.report import Report, Reported, ReportError


class _File:
    """One file while its records come."""

    def __init__(self) -> None:
        self.hits: dict[int, int] = {}
        self.branches: dict[tuple[int, str, str], int] = {}

    def take(self, kind: str, fields: list[str]) -> None:
        """One record. Raises ValueError and IndexError."""
        if kind == "DA":
            line = int(fields[0]) - 1
            self.hits[line] = self.hits.get(line, 0) + int(fields[1])
        elif kind == "BRDA":
            # A description may have commas of its own.
            key = (int(fields[0]) - 1, fields[1], ",".join(fields[2:-1]))
            count = 0 if fields[-1] == "-" else int(fields[-1])
            self.branches[key] = self.branches.get(key, 0) + count

    def reported(self) -> Reported:
        """All of it."""
        taken: list[Exit] = []
        untaken: list[Exit] = []
        for (line, _, name), count in self.branches.items():
            way = Exit((line, line), _said(line, name))
            (taken if count else untaken).append(way)
        return Reported(
            frozenset(line for line, hits in self.hits.items() if hits),
            frozenset(line for line, hits in self.hits.items() if not hits),
            tuple(taken),
            tuple(untaken),
        )


def read(text: str) -> Report:
    """Read a tracefile. Raises ReportError."""
    files: dict[str, _File] = {}
    current: _File | None = None
    for number, row in enumerate(text.splitlines(), 1):
        kind, _, rest = row.strip().partition(":")
        if kind == "SF":
            current = files.setdefault(rest.replace("\\", "/"), _File())
        elif kind == "end_of_record":
            current = None
        elif current is not None:
            try:
                current.take(kind, rest.split(","))
            except (ValueError, IndexError):
                raise ReportError(f"line {number} of the lcov report is malformed: {row!r}") from None
    if not files:
        raise ReportError("the lcov report names no file")
    return Report({path: file.reported() for path, file in files.items()})


def _said(line: int, name: str) -> str:
    """coverage.py names branches (`jump to line 5`), others number them."""
    named = name if not name.isdigit() else f"take branch {name}"
    return f"line {line + 1} did not {named}"
