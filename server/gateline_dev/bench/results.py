"""What was measured of one server on one project."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import ceil
from typing import Any

from gateline_dev.bench.processes import Memory


@dataclass
class Samples:
    """Repeated measurements of one thing, in seconds, and how often the answer was not the right one."""

    seconds: list[float] = field(default_factory=list)
    misses: int = 0
    """The expected answer did not come in time."""
    relapses: int = 0
    """The answer was right, and wrong again before anything was typed."""
    leftovers: int = 0
    """Something of an older version was still shown beside the right answer."""

    def add(self, seconds: float | None) -> None:
        """Count one try; None is a miss."""
        if seconds is None:
            self.misses += 1
        else:
            self.seconds.append(seconds)

    def hopeless(self, patience: int) -> bool:
        """Whether `patience` tries failed and none succeeded: trying on would only cost time."""
        return not self.seconds and self.misses >= patience

    def milliseconds(self, share: float) -> float | None:
        """The quantile at `share` (0.5 is the median, 1 the largest); None when there is nothing."""
        seconds = quantile(self.seconds, share)
        return None if seconds is None else seconds * 1000


@dataclass
class Result:
    """Everything about one server on one project, over all rounds."""

    server: str
    project: str
    kinds: dict[str, Samples] = field(default_factory=dict)
    memory: dict[str, Memory] = field(default_factory=dict)
    """By moment."""
    numbers: dict[str, float] = field(default_factory=dict)
    """Single numbers, each with its unit in its name; of several rounds, the largest."""
    failures: list[str] = field(default_factory=list)
    """What kept something from being measured."""

    def samples(self, kind: str) -> Samples:
        """Of that kind, begun when there are none."""
        return self.kinds.setdefault(kind, Samples())

    def p50(self, kind: str) -> float | None:
        """The median in milliseconds; None when nothing was measured."""
        return self.quantile(kind, 0.5)

    def p95(self, kind: str) -> float | None:
        """The 95th percentile in milliseconds, of few samples the largest; None when nothing was measured."""
        return self.quantile(kind, 0.95)

    def quantile(self, kind: str, share: float) -> float | None:
        """The quantile of a kind in milliseconds; None when nothing was measured."""
        return self.kinds[kind].milliseconds(share) if kind in self.kinds else None

    def note(self, name: str, value: float) -> None:
        """Keep the larger of this number and an earlier one."""
        self.numbers[name] = max(value, self.numbers.get(name, value))

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def quantile(values: Iterable[float], share: float) -> float | None:
    """The smallest value that `share` of all do not exceed (nearest rank); None of nothing."""
    ordered = sorted(values)
    if not ordered:
        return None
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
