"""Tests, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateline.model import Problem


class Ending(StrEnum):
    """How a test ended, in pytest's words where it has one."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    """What it needs (a fixture) could not be set up, or not be cleaned up."""
    SKIPPED = "skipped"
    XFAILED = "xfailed"
    XPASSED = "xpassed"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    """Its process ended: `os._exit`, a signal, too many processes."""


BAD = frozenset({Ending.FAILED, Ending.ERROR, Ending.TIMEOUT, Ending.CRASHED})
"""Endings that count as a failing test."""


@dataclass(frozen=True, slots=True)
class Item:
    """A collected test."""

    id: str
    """pytest's node identifier."""
    path: str
    """Of its function, relative to the workspace; absolute when it is elsewhere."""
    line: int
    """Zero-based, of its function or first decorator."""
    function: str
    """`test_add`, `TestCart.test_add`; without parameters."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a test failed, or why it could not be collected."""

    problem: Problem
    """The exception: its frames, outermost first, begin in the project's own code."""
    explanation: str
    """The whole message: of an assertion, with both sides and their difference."""
    phase: str = "call"
    """`setup`, `call`, `teardown` or `collect`."""
    output: str = ""
    """The end of what was printed and logged."""
    unexpected: bool = False
    """It passed, and was expected to fail: nothing was raised, but what it executed says why."""
    network: bool = False
    """It tried to reach the network, or a server that it did not start: the sandbox may be the reason."""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one test."""

    id: str
    ending: Ending
    seconds: float = 0.0
    """Of the test itself, without setting up and cleaning up."""
    memory: int | None = None
    """Bytes that it added at its highest, in its own process; None where that cannot be known."""
    reason: str = ""
    """Why it was skipped, or is expected to fail."""
    failure: Failure | None = None

    @property
    def is_bad(self) -> bool:
        """Whether it counts as failing."""
        return self.ending in BAD
