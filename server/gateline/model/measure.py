"""A named number with its state."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """Whether there is a number. The last three are never shown as 0, as 100, or as clean."""

    MEASURED = "measured"
    NOTHING_TO_JUDGE = "nothing to judge"
    NOT_DUE = "not due"
    NO_DATA = "no data"
    STALE = "stale"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Measure:
    """One number about one subject.

    `name` says what is counted (`cyclomatic`, `maintainability`, `documented`, `exposure`,
    `duplicated_lines`, `lines`, `tests_run`, and, of lines and branches, `executable` and `covered`, of those
    of a function `function_coverage` in percent; of what tests take, `latency` in milliseconds, `peak_memory`
    in megabytes, and `grade_points`);
    `subject` is a function's or class's qualified name, or "" for the whole document.
    """

    name: str
    value: float
    subject: str = ""
    line: int = 0
    """Zero-based line on which the subject starts."""
