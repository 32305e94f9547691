"""Repeated measurements of one thing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import ceil


@dataclass
class Samples:
    """Times in seconds, and how often the answer was not the right one."""

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

    def merge(self, other: Samples) -> None:
        """Take in what another run measured."""
        self.seconds += other.seconds
        self.misses += other.misses
        self.relapses += other.relapses
        self.leftovers += other.leftovers

    def hopeless(self, patience: int) -> bool:
        """Whether `patience` tries failed and none succeeded: trying on would only cost time."""
        return not self.seconds and self.misses >= patience

    @property
    def p50(self) -> float | None:
        """The median in milliseconds; None when there is nothing."""
        return self._milliseconds(0.5)

    @property
    def p95(self) -> float | None:
        """The 95th percentile in milliseconds; of few samples, the largest."""
        return self._milliseconds(0.95)

    @property
    def most(self) -> float | None:
        """The largest, in milliseconds."""
        return self._milliseconds(1.0)

    @property
    def faults(self) -> int:
        """How often something was wrong."""
        return self.misses + self.relapses + self.leftovers

    def _milliseconds(self, share: float) -> float | None:
        seconds = quantile(self.seconds, share)
        return None if seconds is None else seconds * 1000


def quantile(values: Iterable[float], share: float) -> float | None:
    """The smallest value that `share` of all do not exceed (nearest rank); None of nothing."""
    ordered = sorted(values)
    if not ordered:
        return None
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
