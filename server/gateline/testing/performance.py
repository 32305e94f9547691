"""How long tests take, and how much memory, beside the base: a screen, and rounds for what it finds.

The screen. Both sides were run as a whole anyway, followed by coverage, the base maybe on another day. A test
is suspected when it took a quarter more and ten milliseconds more than there, or a quarter and 16 MiB more of
memory; all that execute the change are when they took that together. What tests that do not execute the
change took on both days tells how much slower the machine is today, and is divided out.

A second ordinary run of the suspected tests clears most of those that were slow by chance.

The rounds. Suspected tests run again at the base and now, one right after the other; whoever begins takes
turns, so that a machine that is busy for a while slows both. A test that did not take a quarter more in one
round is not suspected any more. What is left after six rounds is slower: a fair coin falls six times on the
same side in 1.6 % of all cases.

What is said has no times in it: of the least ratio of all rounds only which of a few far apart numbers it
reaches, so that the same change is told alike on another machine and another day. A millisecond and a
mebibyte are added to both sides of a ratio: less than that is not told apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from gateline.model.grade import Grade

ROUNDS = 6
"""So many a test has to be slower in."""
MOST = 20
"""Suspected tests that are timed again, those first that took the most more."""
SLOWER = 1.25
"""Times the base's from which on a test is slower, or larger."""
STEPS = (SLOWER, 2.0, 5.0, 20.0)
"""The ratios that are told apart in what is said."""
_SECONDS, _BYTES = 0.001, 1 << 20
_MORE_SECONDS, _MORE_BYTES = 0.010, 16 << 20
_FEWEST = 10
"""Tests that do not execute the change, to tell from them how fast the machine is."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What one test took in one run."""

    seconds: float
    memory: int | None = None
    """Bytes at its highest; None where that cannot be known."""


Samples = Mapping[str, Sample]
"""By the test's identifier."""


@dataclass(frozen=True, slots=True)
class Round:
    """What tests took at the base and now, one right after the other."""

    before: Samples
    now: Samples


@dataclass(frozen=True, slots=True)
class Slower:
    """A test that certainly takes longer."""

    test: str
    times: float
    """It takes at least so many times as long: one of `STEPS`."""


@dataclass(frozen=True, slots=True)
class Performance:
    """What both sides took. Durations are means over tests, in seconds; memory is in bytes."""

    tests: int
    """Those that execute the change and pass on both sides."""
    latency_before: float
    latency: float
    peak_before: int | None
    peak: int | None
    grade: Grade = Grade.A
    slower: tuple[Slower, ...] = ()


def suspects(before: Samples, now: Samples, executing: Collection[str]) -> tuple[str, ...]:
    """The tests that look slower or larger, of those that execute the change; the worst first."""
    pace = _pace(before, now, executing)
    tests = [test for test in executing if test in before and test in now]
    more = {test: now[test].seconds - pace * before[test].seconds for test in tests}
    found = [test for test in tests if _is_suspect(before[test], now[test], pace)]
    if not found and _is_slower(_total(before, tests), _total(now, tests), pace):
        found = tests
    return tuple(sorted(found, key=lambda test: (-more[test], test))[:MOST])


def quicker(one: Samples, other: Samples) -> Samples:
    """Of the tests in both, the quicker run."""
    return {test: min(one[test], other[test], key=lambda s: s.seconds) for test in other if test in one}


def _is_suspect(before: Sample, now: Sample, pace: float) -> bool:
    return _is_slower(before.seconds, now.seconds, pace) or (
        now.memory is not None
        and before.memory is not None
        and _times_memory(before, now) >= SLOWER
        and now.memory - before.memory >= _MORE_BYTES
    )


def _is_slower(before: float, now: float, pace: float) -> bool:
    before *= pace
    return now + _SECONDS >= SLOWER * (before + _SECONDS) and now - before >= _MORE_SECONDS


def _pace(before: Samples, now: Samples, executing: Collection[str]) -> float:
    """How many times slower the machine is than it was; 1 where nothing tells, or it is faster."""
    others = (before.keys() & now.keys()) - set(executing)
    if len(others) < _FEWEST:
        return 1.0
    return max(1.0, median(_times(before[test], now[test]) for test in others))


def still_slower(found: Round, tests: Iterable[str]) -> tuple[str, ...]:
    """Those of some tests that took a quarter more in this round, too, or that of memory."""
    return tuple(test for test in tests if _worse(found, test) >= SLOWER)


def _left(rounds: Sequence[Round]) -> tuple[str, ...]:
    """The tests that were slower in all rounds, as far as there were any."""
    left = tuple(sorted(rounds[-1].now)) if rounds else ()
    for one in rounds:
        left = still_slower(one, left)
    return left


def _worse(found: Round, test: str) -> float:
    before, now = found.before[test], found.now[test]
    return max(_times(before, now), _times_memory(before, now))


def _times(before: Sample, now: Sample) -> float:
    return (now.seconds + _SECONDS) / (before.seconds + _SECONDS)


def _times_memory(before: Sample, now: Sample) -> float:
    if before.memory is None or now.memory is None:
        return 1.0
    return (now.memory + _BYTES) / (before.memory + _BYTES)


def performance(
    before: Samples, now: Samples, executing: Iterable[str], rounds: Sequence[Round] = ()
) -> Performance:
    """What is said of the tests that execute the change, after the rounds of those that were suspected.

    Raises ValueError where none of them is known on both sides.
    """
    tests = [test for test in executing if test in before and test in now]
    if not tests:
        raise ValueError("no test was timed both at the base and in the change")
    least = {test: min(_worse(one, test) for one in rounds) for test in _left(rounds)}
    slow = {test: min(_times(one.before[test], one.now[test]) for one in rounds) for test in least}
    return Performance(
        tests=len(tests),
        latency_before=_total(before, tests) / len(tests),
        latency=_total(now, tests) / len(tests),
        peak_before=_peak(before, tests),
        peak=_peak(now, tests),
        grade=_grade(least, before, tests),
        slower=tuple(Slower(test, _step(times)) for test, times in slow.items() if times >= SLOWER),
    )


def _grade(least: Mapping[str, float], before: Samples, tests: Sequence[str]) -> Grade:
    """By how much more all tests of the change take together, at the least."""
    if not least:
        return Grade.A
    more = sum((times - 1) * (before[test].seconds + _SECONDS) for test, times in least.items())
    ratio = 1 + more / (_total(before, tests) + _SECONDS * len(tests))
    # Grades that lie far apart: measured twice, the same change gets the same.
    return Grade.F if ratio >= 2 else Grade.D if ratio >= SLOWER else Grade.B


def _step(times: float) -> float:
    return max(step for step in STEPS if step <= times)


def _total(samples: Samples, tests: Iterable[str]) -> float:
    return sum(samples[test].seconds for test in tests)


def _peak(samples: Samples, tests: Iterable[str]) -> int | None:
    found = [samples[test].memory for test in tests]
    return None if None in found else max(memory for memory in found if memory is not None)
