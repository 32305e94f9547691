"""How much is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    """Counts for one server in one round, and seconds of waiting."""

    rounds: int
    """Each starts every server once, so that all see the same hours of a machine that others use too."""
    sites: int
    """Places that are edited, each with a syntax error and a type error."""
    bursts: int
    saves: int
    starts: int
    """Of servers that are only timed, and of each command."""
    evaluations: int
    """Of each level."""
    test_edits: int
    """Edits that tests answer, each beside a cold run."""
    test_runs: int
    """Pairs of runs of all tests, without and with coverage: one pair says nothing on a busy machine."""
    regressions: int
    """Mistakes of which tests that fail for them must be selected."""
    session_edits: int
    """Edits in one long session."""
    idle: float
    """Seconds in which nothing is typed."""
    patience: float = 10.0
    """Seconds after which an edit's answer is missed."""
    open_patience: float = 60.0
    pause: float = 0.15
    """Seconds between an answer and the next edit."""
    silence: float = 1.5
    """Seconds without news, or without work, after which a server is taken to be done."""


FULL = Plan(
    rounds=3,
    sites=8,
    bursts=1,
    saves=2,
    starts=3,
    evaluations=5,
    test_edits=30,
    test_runs=15,
    regressions=200,
    session_edits=1000,
    idle=60,
)
QUICK = Plan(
    rounds=1,
    sites=4,
    bursts=1,
    saves=1,
    starts=2,
    evaluations=3,
    test_edits=6,
    test_runs=9,
    regressions=10,
    session_edits=0,
    idle=60,
)
