"""One problem at one place."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateline.model.span import Span


class Dimension(StrEnum):
    """What is judged. The first five are scored; the others are judged outside the weighted sum."""

    ERRORS = "errors"
    COVERAGE = "coverage"
    SECURITY = "security"
    COMPLEXITY = "complexity"
    DOCUMENTATION = "documentation"
    PERFORMANCE = "performance"
    DUPLICATION = "duplication"
    INTEGRITY = "integrity"
    GATELINE = "gateline"
    """gateline's own settings, suppressions and tools (9xx)."""


SCORED = (
    Dimension.ERRORS,
    Dimension.COVERAGE,
    Dimension.SECURITY,
    Dimension.COMPLEXITY,
    Dimension.DOCUMENTATION,
)


class Weight(StrEnum):
    """How much a finding matters to the gate."""

    FLOOR = "floor"
    """Caps the score, and fails the final gate."""
    COUNTS = "counts"
    """Lowers the score."""
    ADVICE = "advice"
    """Is only told."""


class Novelty(StrEnum):
    """Whether a finding is in the base already."""

    NEW = "new"
    OLD = "old"


class Severity(StrEnum):
    """How a finding is shown; see `gates.severity`."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains a finding. It may be in another document."""

    path: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem: what, where, and how much it matters."""

    code: str
    """`GTL` and three digits."""
    path: str
    span: Span
    message: str
    dimension: Dimension
    weight: Weight
    origin: str = ""
    """The tool and its own code, as in `mypy: arg-type`; empty for gateline's own rules."""
    symbol: str = ""
    """The qualified name of the function or class around it."""
    line_text: str = ""
    """The text of its first line: with code, origin and symbol this makes its identity."""
    novelty: Novelty = Novelty.NEW
    identity: str = ""
    """12 hexadecimal digits, given by `gates.novelty`; survives edits elsewhere."""
    provisional: bool = False
    """A faster tool's answer, to be replaced by the reference's."""
    related: tuple[Related, ...] = ()
    remark: str = ""
    """What else is told: that a comment which the change adds is about it; given by `gates.suppress`."""
    stands_for: int = 1
    """How many problems it counts as: a file of tests that cannot be imported counts with each of them."""

    @property
    def sort_key(self) -> tuple[str, int, int, int, int, str, str, str]:
        """The order in which findings are always given: by path and place, then by what they say."""
        start, end = self.span.start, self.span.end
        # Not by the span itself: numbers are compared in a fraction of the time, after each key.
        place = start.line, start.column, end.line, end.column
        return (self.path, *place, self.code, self.origin, self.message)
