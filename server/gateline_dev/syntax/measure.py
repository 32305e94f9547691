"""How many broken texts are repaired, and how many of the first repairs are the right ones."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gateline.repairs.syntax.judge import parse_failure
from gateline.repairs.syntax.layout import layout_of
from gateline.repairs.syntax.search import Solution, solutions
from gateline.repairs.syntax.tokens import tokens_of
from gateline_dev.syntax.samples import Sample


@dataclass(frozen=True)
class Measured:
    """What became of one sample."""

    sample: Sample
    found: Sequence[Solution]
    rank: int | None
    """Of the first right solution."""
    seconds: float


def measured(sample: Sample) -> Measured:
    """Repair one sample, with nothing remembered from before."""
    for remembered in (parse_failure, layout_of, tokens_of):
        remembered.cache_clear()
    start = time.process_time()
    found = solutions(sample.text)
    seconds = time.process_time() - start
    ranks = (n for n, solution in enumerate(found) if sample.is_right(solution.text))
    return Measured(sample, found, next(ranks, None), seconds)


def table(rows: Iterable[Measured]) -> str:
    """A line for each kind, and one for all; times are of the processor."""
    kinds: dict[str, list[Measured]] = defaultdict(list)
    for row in rows:
        kinds[row.sample.kind].append(row)
        kinds["all"].append(row)
    everything = kinds.pop("all")
    lines = [f"{'kind':28} {'n':>5} {'parses':>7} {'first':>7} {'found':>7} {'p50 ms':>7} {'p95 ms':>7}"]
    return "\n".join([*lines, *(_line(k, kinds[k]) for k in sorted(kinds)), _line("all", everything)])


def _line(kind: str, rows: Sequence[Measured]) -> str:
    times = sorted(row.seconds for row in rows)
    shares = (
        sum(1 for r in rows if r.found),
        sum(1 for r in rows if r.rank == 0),
        sum(1 for r in rows if r.rank is not None),
    )
    percents = " ".join(f"{100 * share / len(rows):6.1f}%" for share in shares)
    p50, p95 = (1000 * times[min(int(len(times) * q), len(times) - 1)] for q in (0.5, 0.95))
    return f"{kind:28} {len(rows):5} {percents} {p50:7.0f} {p95:7.0f}"
