"""Before → after, by function and by file."""

from __future__ import annotations

from gateline.model import FileSummary, FunctionChange
from gateline.session.check import CheckResult


def render(result: CheckResult) -> str:
    """One row a function, then one a file; `–` where it does not exist."""
    evaluation = result.evaluation
    if not evaluation.files:
        return f"Nothing changed against {evaluation.base_label}.\n"
    functions = [_function(row) for row in evaluation.functions]
    files = [_file(row) for row in evaluation.files]
    parts = []
    if functions:
        parts.append(_table(("function", "complexity"), functions))
    parts.append(_table(("file", "", "lines", "maintainability"), files))
    return "\n".join(parts)


def _function(row: FunctionChange) -> tuple[str, ...]:
    place = f"{row.path}:{row.line + 1} {row.symbol}"
    return place, _step(row.complexity_before, row.complexity_after)


def _file(row: FileSummary) -> tuple[str, ...]:
    if row.skipped:
        return row.path, f"not analysed: {row.skipped}", "", ""
    kept = _step(row.maintainability_before, row.maintainability_after)
    return row.path, row.status, _step(row.lines_before, row.lines_after), kept


def _step(before: float | None, after: float | None) -> str:
    was, now = ("–" if n is None else f"{n:g}" for n in (before, after))
    return was if was == now else f"{was} → {now}"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head))]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (head, *rows)
    )
    return "\n".join(line.rstrip() for line in lines) + "\n"
