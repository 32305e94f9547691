"""Before → after, by function and by file."""

from __future__ import annotations

from gateline.cli.output.changed import unchanged
from gateline.cli.terminal import columns, harmless
from gateline.model import Evaluation, FileSummary, FunctionChange
from gateline.session.check_result import CheckResult


def render(result: CheckResult) -> str:
    """One row a function, then one a file; `–` where it does not exist."""
    evaluation = result.evaluation
    if not evaluation.changed:
        return f"{harmless(unchanged(evaluation))}\n"
    files = _table(
        ("file", "", "lines", "maintainability"),
        [_file(row) for row in (*evaluation.files, *evaluation.others)],
    )
    return "\n".join((*_functions(evaluation), files))


def _functions(evaluation: Evaluation) -> list[str]:
    shown = 3 if any(map(_is_covered, evaluation.functions)) else 2
    rows = [_function(row)[:shown] for row in evaluation.functions]
    return [_table(("function", "complexity", "covered %")[:shown], rows)] if rows else []


def _is_covered(row: FunctionChange) -> bool:
    return row.coverage_before is not None or row.coverage_after is not None


def _function(row: FunctionChange) -> tuple[str, ...]:
    place = harmless(f"{row.path}:{row.line + 1} {row.symbol}")
    covered = _step(row.coverage_before, row.coverage_after)
    return place, _step(row.complexity_before, row.complexity_after), covered


def _file(row: FileSummary) -> tuple[str, ...]:
    path = harmless(row.path)
    if row.skipped:
        return path, f"not analysed: {row.skipped}", "", ""
    kept = _step(row.maintainability_before, row.maintainability_after)
    return path, row.status, _step(row.lines_before, row.lines_after), kept


def _step(before: float | None, after: float | None) -> str:
    was, now = ("–" if n is None else f"{n:g}" for n in (before, after))
    return was if was == now else f"{was} → {now}"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    widths = [max(columns(row[n]) for row in (head, *rows)) for n in range(len(head))]
    return "".join(_padded(row, widths) + "\n" for row in (head, *rows))


def _padded(row: tuple[str, ...], widths: list[int]) -> str:
    cells = (cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=True))
    return "  ".join(cells).rstrip()
