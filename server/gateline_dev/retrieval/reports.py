"""Tables of what was measured, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gateline_dev.retrieval import commits
from gateline_dev.retrieval.measures import Measured
from gateline_dev.retrieval.queries import TASKS

FULL, DEGRADED = "gateline", "gateline, no transformer"
_DOCSTRING = "docstring"


def systems(found: Mapping[tuple[str, str], Measured]) -> Iterator[str]:
    """By system and task; at last what is kept of the figure without the transformer."""
    yield "| | " + " | ".join(TASKS) + " |"
    yield "|---" * (len(TASKS) + 1) + "|"
    for system in dict.fromkeys(system for system, _ in found):
        yield f"| {system} | " + " | ".join(_cell(found.get((system, task))) for task in TASKS) + " |"
    first = next(iter(found))[0]
    counts = (found.get((first, task)) for task in TASKS)
    yield "| questions | " + " | ".join(str(c.count) if c else "0" for c in counts) + " |"
    whole, bare = found.get((FULL, _DOCSTRING)), found.get((DEGRADED, _DOCSTRING))
    if whole and bare and whole.mrr:
        yield f"\nwithout the transformer: {bare.mrr / whole.mrr:.3f} of the docstring figure"


def crossed(found: Mapping[tuple[str, str], Measured]) -> Iterator[str]:
    """By package and task, and their means."""
    yield "| | " + " | ".join(TASKS) + " |"
    yield "|---" * (len(TASKS) + 1) + "|"
    packages = list(dict.fromkeys(package for package, _ in found))
    for package in packages:
        yield f"| {package} | " + " | ".join(_cell(found.get((package, task))) for task in TASKS) + " |"
    means = (_mean([found[p, task] for p in packages if (p, task) in found]) for task in TASKS)
    yield "| mean | " + " | ".join(map(_cell, means)) + " |"


def _mean(found: Sequence[Measured]) -> Measured | None:
    if not found:
        return None
    count = len(found)
    mrr, recall = sum(m.mrr for m in found) / count, sum(m.recall for m in found) / count
    return Measured(sum(m.count for m in found), mrr, recall)


def _cell(found: Measured | None) -> str:
    return f"{found.mrr:.3f} / {found.recall:.3f}" if found else "–"


def histories(found: Mapping[str, Sequence[Mapping[str, float]]]) -> Iterator[str]:
    """By history, the share of a commit's other files that are among the first ten."""
    names = commits.SYSTEMS
    yield "| R@10 of a commit's other files | commits | " + " | ".join(names) + " |"
    yield "|---" * (len(names) + 2) + "|"
    everything = [row for rows in found.values() for row in rows]
    for name, rows in (*found.items(), ("all", everything)):
        means = commits.means(rows)
        yield f"| {name} | {len(rows)} | " + " | ".join(f"{means[system]:.3f}" for system in names) + " |"
