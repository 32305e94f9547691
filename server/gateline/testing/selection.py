"""Which tests a change can affect. Rather one too many than one too few, and each with its reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from gateline.testing.coverage_map import CoverageMap
from gateline.testing.graph import ImportGraph
from gateline.testing.reason import Cause, Reason
from gateline.testing.result import Item, Result
from gateline.testing.staleness import Staleness


@dataclass(frozen=True, slots=True)
class Chosen:
    """A test, and how the change reaches it."""

    test: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Tests:
    """All tests there are, and what is known of them."""

    items: Collection[Item]
    known: CoverageMap
    results: Mapping[str, Result]
    """The newest of each test."""


def select(
    tests: Tests, staleness: Staleness, graph: ImportGraph, change: Iterable[str]
) -> tuple[Chosen, ...]:
    """The tests that must run before anything is said of the newest texts; the likeliest to fail first.

    `change` names the files that differ from the base: tests that were never measured are chosen when they
    import one of them.
    """
    reached = {path: graph.reaching([path]) for path in change}
    recorded = {one.trace.test: one for one in tests.known}
    chosen = []
    for item in tests.items:
        reasons: tuple[Reason, ...] = ()
        if item.id in recorded:
            reasons = staleness.reasons(recorded[item.id], item.path)
        else:
            paths = sorted(path for path, files in reached.items() if item.path in files)
            reasons = tuple(Reason(Cause.UNMEASURED, path) for path in paths[:1])
        result = tests.results.get(item.id)
        if result is not None and result.is_bad:
            reasons = (Reason(Cause.FAILED), *reasons)
        if reasons:
            chosen.append(Chosen(item.id, reasons))
    return tuple(sorted(chosen, key=lambda one: _rank(one, tests.results)))


def _rank(chosen: Chosen, results: Mapping[str, Result]) -> tuple[bool, bool, float]:
    """Failed before, then what executes the change itself; the quick ones first."""
    causes = {reason.cause for reason in chosen.reasons}
    result = results.get(chosen.test)
    return Cause.FAILED not in causes, Cause.EXECUTES not in causes, result.seconds if result else 0.0
