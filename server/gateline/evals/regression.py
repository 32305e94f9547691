"""When a run is a regression against the runs that were accepted before it.

Two things are compared with: the mean of the newest accepted runs, and the best of many. Against the mean
alone a slow drift is never seen, since the mean drifts along; the best is the anchor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from gateline.evals.run import EXPECTED, Run

RECENT = 5
"""Accepted runs in the mean."""
ANCHOR = 20
"""Accepted runs of which the best counts."""
FEWEST = 5
"""Cases below which nothing is called a regression."""
_Z = 1.645
"""Of the normal distribution: one-sided 95 %."""


@dataclass(frozen=True, slots=True)
class Regression:
    """A run that is worse than those before it."""

    suite: str
    against: str
    """`mean` or `best`."""
    before: float
    now: float
    of: int
    """How many accepted runs it was compared with."""
    flipped: tuple[str, ...]
    """The cases that passed in the newest accepted run and do not now."""

    @property
    def share(self) -> float:
        """How much of the score was lost, 0–1."""
        return (self.before - self.now) / self.before

    def __str__(self) -> str:
        what = f"the mean of the last {self.of} accepted" if self.against == "mean" else "the best"
        if self.against == "best":
            what += f" of the last {self.of} accepted"
        flipped = f"; flipped: {', '.join(self.flipped[:5])}" if self.flipped else ""
        more = f" and {len(self.flipped) - 5} more" if len(self.flipped) > 5 else ""
        return (
            f"{self.suite}: {self.now:.1%} is {self.share:.0%} below {self.before:.1%}, {what}{flipped}{more}"
        )


def regression(accepted: Sequence[Run], now: Run) -> Regression | None:
    """Whether a run is a regression. `accepted`: the accepted runs of its suite, oldest first."""
    if not accepted or now.cases < FEWEST:
        return None
    known = accepted[-ANCHOR:]
    recent = [run.score for run in known[-RECENT:]]
    last = {*known[-1].failed}
    flipped = tuple(name for name in now.failed if name not in last)
    compared = (
        ("mean", sum(recent) / len(recent), len(recent)),
        ("best", max(run.score for run in known), len(known)),
    )
    found = (
        Regression(now.suite, what, before, now.score, of, flipped) for what, before, of in compared if before
    )
    return next((one for one in found if _is_one(one, now)), None)


def upper_bound(score: float, cases: int) -> float:
    """The upper end of Wilson's interval of a share of so many cases: more is not told apart by chance."""
    square = _Z * _Z
    middle = score + square / (2 * cases)
    spread = _Z * sqrt(score * (1 - score) / cases + square / (4 * cases * cases))
    return (middle + spread) / (1 + square / cases)


def _is_one(found: Regression, now: Run) -> bool:
    return found.share >= EXPECTED[now.kind].drop - 1e-9 and upper_bound(now.score, now.cases) < found.before
