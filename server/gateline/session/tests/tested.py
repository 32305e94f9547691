"""What tests say of a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateline.model import Report, TestRun
from gateline.session.tests.covering import Lines
from gateline.testing.result import Result
from gateline.testing.selection import Chosen


@dataclass(frozen=True)
class Tested:
    """What tests say of a change and of its base, by path."""

    __test__ = False

    current: Mapping[str, tuple[Report, ...]] = field(default_factory=dict)
    base: Mapping[str, tuple[Report, ...]] = field(default_factory=dict)
    about: TestRun | None = None
    """Which tests spoke, or why none did; None: tests were not looked at."""
    run: tuple[Result, ...] = ()
    """What became of the tests that ran for this."""
    executing: tuple[str, ...] | None = None
    """Those of them that passed and execute what was changed; None: nothing tells what they execute."""
    chosen: tuple[Chosen, ...] = ()
    """Why they did; empty when all were run."""
    lines: Lines = field(default_factory=dict)
    """What is known of the changed lines, by path."""
    is_whole: bool = True
    """False when the run was ended early; then nothing may be said at all."""
