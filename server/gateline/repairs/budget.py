"""How much a repair may cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is done for a repair, by who waits for it."""

    seconds: float = 10.0
    """After this time nothing new is tried."""
    attempts: int = 12
    """How many candidates are verified in one iteration."""
    alternatives: int = 0
    """How many more repairs are verified after the first, to know whether it is the only one."""
    for_the_rest: int = 8
    """How many more are verified after a success that left tests failing: another may mend those, too."""


BESIDE = Effort(seconds=4.0, alternatives=2)
"""What is looked for beside somebody who types."""
ASKED = Effort(seconds=30.0, attempts=60, alternatives=1)
"""Who asked sees how far it is and can cancel, and rather waits than asks again."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one run of the loop."""

    now: Callable[[], float]
    """A clock that never goes back, in seconds."""
    seconds: float = 10.0
    """After this time nothing new is tried."""
    iterations: int = 5
    attempts: int = 12
    """How many candidates are verified in one iteration."""
    looks: int = 60
    """How many candidates a family is asked for in one iteration; most may break a house rule."""
    alternatives: int = 0
    """How many more are verified after the first success: to say whether it is the only one."""
    for_the_rest: int = 8
    """How many more are verified after a success that left tests failing: another may mend those, too."""

    @classmethod
    def of(cls, effort: Effort, now: Callable[[], float]) -> Budget:
        """The limits of a run that begins now."""
        return cls(
            now,
            effort.seconds,
            attempts=effort.attempts,
            alternatives=effort.alternatives,
            for_the_rest=effort.for_the_rest,
        )

    def further(self, failing: int) -> int:
        """How many more are verified after a success that left so many tests failing."""
        return max(self.alternatives, self.for_the_rest if failing else 0)
