"""The numbers behind the dimensions, and what tests took, in a line each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gateline.model.evaluation import Evaluation, Figure

_NAMES = {
    "complexity_mean": "mean complexity",
    "complexity_worst": "worst complexity",
    "documentation": "documentation",
    "duplicated_lines": "duplicated lines",
    "secret_risk": "secret risk",
    "coverage": "changed lines covered",
    "base_coverage": "all of the base",
    "test_latency": "average of a test",
    "peak_memory": "peak memory",
}


def measures(evaluation: Evaluation) -> Iterator[str]:
    """One line; the same content gives the same. Nothing where nothing was measured."""
    yield from _line("measures", evaluation.measures)


def timings(evaluation: Evaluation) -> Iterator[str]:
    """One line, which varies from run to run."""
    yield from _line("timings", evaluation.timings)


def worse_covered(evaluation: Evaluation) -> Iterator[str]:
    """The touched functions of which tests execute a smaller share than at the base, the worst first."""
    known = [
        (row.coverage_after - row.coverage_before, row)
        for row in evaluation.functions
        if row.coverage_before is not None and row.coverage_after is not None
    ]
    for change, row in sorted(known, key=lambda one: (one[0], one[1].path, one[1].line)):
        if change < 0:
            yield f"{row.symbol} in {row.path}: covered {row.coverage_before:g} → {row.coverage_after:g} %"


def _line(label: str, figures: Iterable[Figure]) -> Iterator[str]:
    told = [_told(figure) for figure in figures if figure.value is not None]
    if told:
        yield f"{label}: {' · '.join(told)}"


def _told(figure: Figure) -> str:
    before = "" if figure.before in (None, figure.value) else f"{figure.before:g} → "
    unit = f" {figure.unit}" if figure.unit else ""
    return f"{_NAMES.get(figure.name, figure.name)} {before}{figure.value:g}{unit}"
