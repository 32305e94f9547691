"""One verdict that is asked for: a change with all that was gathered about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gateline.model import Change, Level, Progress, Report
from gateline.session.tests.tested import Tested
from gateline.session.types.services import Texts
from gateline.session.types.types import Typed


@dataclass(frozen=True, slots=True)
class Inspected:
    """What analyzers say of a change and of its base, by path."""

    current: dict[str, Sequence[Report]]
    base: dict[str, Sequence[Report]]


@dataclass(frozen=True, slots=True)
class Request:
    """What is judged, at which checkpoint, and what types and tests say of it."""

    change: Change
    level: Level
    progress: Progress
    typed: Typed
    tested: Tested
    around: Texts = field(default_factory=dict)
    """What could be part of the change and lies over the disk; it is what the base has where the change says
    nothing, so it says nothing new."""
    inspected: Inspected | None = field(default=None, repr=False)
    """What analyzers say of it, where they were asked already."""

    @property
    def content(self) -> tuple[object, ...]:
        """All that decides the verdict of a session: two requests with the same get the same verdict."""
        typed, tested = self.typed, self.tested
        types, tests = (typed.current, typed.base), (tested.current, tested.base, tested.about)
        return self.change, self.level, self.progress, types, tests
