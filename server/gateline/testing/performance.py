"""How long tests take, and how much memory, against the base: what can be said above the noise.

The rule. The same tests run at the base and now, one right after the other, in at least six rounds; whoever
begins takes turns, so that a machine that is busy for a while slows both. Each round gives the ratio now ÷
base of what all tests take together: of their durations the sum, of their memory the highest peak. Neither
is expected to be normally distributed, so only the order of the ratios is used: between the k-th smallest
and the k-th largest lies their median with at least 95 % confidence, where k is the largest number for which
a fair coin falls on one side fewer than k times in as many throws with at most 2.5 % (the sign test; six
rounds: k = 1, from the smallest to the largest; nine: k = 2; twelve: k = 3).

The grade follows from the lower end of that interval, that is, from how much slower the change is *at the
least*: inside the noise the lower end is about 1, and the grade is A. Of time and memory the worse one
counts. Where the interval is so wide that neither "as before" nor "twice as long" can be excluded there is
no grade. A single test is named when it took a quarter more in every round.

A millisecond and a mebibyte are added to both sides of a ratio: less than that is not told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb
from statistics import median

from gateline.model.grade import Grade, grade_of

FEWEST = 6
"""Rounds; with fewer no interval has 95 %."""
MOST = 12
"""Rounds; more would narrow the interval little."""
_SLOWER = 1.25
"""A test is named that took this many times as long in every round."""
_WIDE = 2.0
"""An interval that reaches from below the grade B to this ratio excludes nothing."""
_SECONDS, _BYTES = 0.001, 1 << 20


@dataclass(frozen=True, slots=True)
class Sample:
    """What one test took in one run."""

    seconds: float
    memory: int | None = None
    """Bytes at its highest; None where that cannot be known."""


@dataclass(frozen=True, slots=True)
class Round:
    """What each test took at the base and now, by its identifier; both have the same tests."""

    before: Mapping[str, Sample]
    now: Mapping[str, Sample]


@dataclass(frozen=True, slots=True)
class Interval:
    """Between which ratios to the base the truth lies, with 95 % confidence."""

    low: float
    high: float

    @property
    def says_nothing(self) -> bool:
        """Whether neither "as before" nor "twice as much" can be excluded."""
        return grade_of(self.low) is Grade.A and self.high >= _WIDE


@dataclass(frozen=True, slots=True)
class Slower:
    """A test that certainly takes longer; medians in seconds."""

    test: str
    before: float
    now: float


@dataclass(frozen=True, slots=True)
class Performance:
    """What all rounds together say. Durations are means over tests, in seconds; memory is in bytes."""

    tests: int
    rounds: int
    time: Interval
    memory: Interval | None
    latency_before: float
    latency: float
    peak_before: int | None
    peak: int | None
    slower: tuple[Slower, ...]

    @property
    def grade(self) -> Grade | None:
        """The worse of time and memory; None inside too great a noise."""
        if self.time.says_nothing:
            return None
        ratios = [self.time.low, *([self.memory.low] if self.memory else [])]
        return grade_of(max(ratios))


def performance(rounds: Sequence[Round]) -> Performance:
    """What the rounds say. Raises ValueError for too few rounds, and for rounds without tests."""
    if len(rounds) < FEWEST or not rounds[0].now:
        raise ValueError(f"{FEWEST} rounds with a test are needed, there are {len(rounds)}")
    before, now = ([_seconds(side) for side in sides] for sides in _sides(rounds))
    peaks = [[_peak(side) for side in sides] for sides in _sides(rounds)]
    tests = len(rounds[0].now)
    known = [[p for p in side if p is not None] for side in peaks]
    measured = all(len(side) == len(rounds) for side in known)
    return Performance(
        tests=tests,
        rounds=len(rounds),
        time=interval([(b + _SECONDS, n + _SECONDS) for b, n in zip(before, now, strict=True)]),
        memory=interval([(b + _BYTES, n + _BYTES) for b, n in zip(*known, strict=True)])
        if measured
        else None,
        latency_before=median(before) / tests,
        latency=median(now) / tests,
        peak_before=int(median(known[0])) if measured else None,
        peak=int(median(known[1])) if measured else None,
        slower=tuple(_slower(rounds)),
    )


def interval(pairs: Sequence[tuple[float, float]]) -> Interval:
    """Between which ratios second ÷ first the median lies. Raises ValueError for fewer than six pairs."""
    if len(pairs) < FEWEST:
        raise ValueError(f"{FEWEST} pairs are needed, there are {len(pairs)}")
    ratios = sorted(now / before for before, now in pairs)
    outside = _outside(len(ratios))
    return Interval(ratios[outside - 1], ratios[-outside])


def _outside(rounds: int) -> int:
    """The k of the rule: the interval reaches from the k-th smallest ratio to the k-th largest."""
    fewer, k = 1, 1
    while (fewer + comb(rounds, k)) / 2**rounds <= 0.025:
        fewer += comb(rounds, k)
        k += 1
    return k


def _sides(rounds: Sequence[Round]) -> tuple[list[Mapping[str, Sample]], list[Mapping[str, Sample]]]:
    return [one.before for one in rounds], [one.now for one in rounds]


def _seconds(side: Mapping[str, Sample]) -> float:
    return sum(sample.seconds for sample in side.values())


def _peak(side: Mapping[str, Sample]) -> int | None:
    found = [sample.memory for sample in side.values()]
    return None if None in found else max(memory for memory in found if memory is not None)


def _slower(rounds: Sequence[Round]) -> Iterator[Slower]:
    for test in sorted(rounds[0].now):
        before = [one.before[test].seconds for one in rounds]
        now = [one.now[test].seconds for one in rounds]
        ratios = ((n + _SECONDS) / (b + _SECONDS) for b, n in zip(before, now, strict=True))
        if min(ratios) >= _SLOWER:
            yield Slower(test, median(before), median(now))
