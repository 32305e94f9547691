"""Which tests a change can affect. Rather one too many than one too few, and each with its reasons."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gateline.testing.coverage_map import CoverageMap
from gateline.testing.graph import ImportGraph
from gateline.testing.reason import Cause, Reason
from gateline.testing.result import Item, Result
from gateline.testing.staleness import Staleness

_PYTHON = (".py", ".pyi", ".pyw")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A test, and how the change reaches it."""

    test: str
    reasons: tuple[Reason, ...]

    @property
    def is_unknown(self) -> bool:
        """Whether nothing leads from it to the change, and it was never measured."""
        return all(reason.cause is Cause.NEW for reason in self.reasons)


@dataclass(frozen=True, slots=True)
class Tests:
    """All tests there are, and what is known of them."""

    items: Collection[Item]
    known: CoverageMap
    results: Mapping[str, Result]
    """The newest of each test."""
    openings: Mapping[str, float] = field(default_factory=dict)
    """Of tests that opened a run: seconds until the result."""


def select(
    tests: Tests, staleness: Staleness, graph: ImportGraph, change: Iterable[str]
) -> tuple[Chosen, ...]:
    """The tests that must run before anything is said of the newest texts; the likeliest to fail first.

    `change` names the files that differ from the base. A test that was never measured is chosen in any case;
    its reason says whether it imports one of them, or may read one that is no Python.
    """
    reached = {path: graph.reaching([path]) for path in change}
    unknown = [Reason(Cause.MAY_READ, path) for path in sorted(reached) if not path.endswith(_PYTHON)]
    recorded = {one.trace.test: one for one in tests.known}
    chosen = []
    for item in tests.items:
        reasons: tuple[Reason, ...] = ()
        if item.id in recorded:
            reasons = staleness.reasons(recorded[item.id], item.path)
        else:
            paths = sorted(path for path, files in reached.items() if item.path in files)
            reached_by = (Reason(Cause.UNMEASURED, path) for path in paths)
            reasons = (*reached_by, *unknown, Reason(Cause.NEW))[:1]
        result = tests.results.get(item.id)
        if result is not None and result.is_bad:
            reasons = (Reason(Cause.FAILED), *reasons)
        if reasons:
            chosen.append(Chosen(item.id, reasons))
    return tuple(_ranked(chosen, tests.results, _Opening(tests)))


_Rank = tuple[bool, int, float]


class _Opening:
    """How long the first result takes that a test opens: fixtures and imports that it shares count then.

    Known of those that opened a run; others are taken to be like those of their file.
    """

    def __init__(self, tests: Tests) -> None:
        self._tests = tests
        self._files: dict[str, list[float]] = {}
        for test, seconds in tests.openings.items():
            self._files.setdefault(test.partition("::")[0], []).append(seconds)

    def seconds(self, chosen: Chosen) -> float:
        """About how long; with nothing to go by, the time of the test itself."""
        known = self._tests.openings.get(chosen.test)
        if known is not None:
            return known
        alike = self._files.get(_file(chosen))
        result = self._tests.results.get(chosen.test)
        return min(alike) if alike else result.seconds if result else 0.0


def _ranked(chosen: Sequence[Chosen], results: Mapping[str, Result], opening: _Opening) -> list[Chosen]:
    """Files whose tests failed before, then those whose tests execute the change; then the tests likewise.

    They run in the order of the collection; the first file here is told before that, where somebody waits.
    So of two files the one comes first whose first test is answered soon.
    """
    files: dict[str, _Rank] = {}
    for one in chosen:
        failed, near, _ = _rank(one, results)
        known = files.setdefault(_file(one), (failed, near, opening.seconds(one)))
        files[_file(one)] = (failed and known[0], min(near, known[1]), known[2])
    return sorted(chosen, key=lambda one: (files[_file(one)], _file(one), _rank(one, results)))


def _rank(chosen: Chosen, results: Mapping[str, Result]) -> _Rank:
    """Failed before, then what executes the change itself, last what was never measured; quick ones first."""
    causes = {reason.cause for reason in chosen.reasons}
    result = results.get(chosen.test)
    near = 0 if Cause.EXECUTES in causes else 1 + chosen.is_unknown
    return Cause.FAILED not in causes, near, result.seconds if result else 0.0


def _file(chosen: Chosen) -> str:
    return chosen.test.partition("::")[0]
