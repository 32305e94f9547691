"""Why a test is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """How a change reaches a test."""

    ASKED = "asked"
    FAILED = "failed"
    EXECUTES = "executes"
    IMPORTS = "imports"
    READS = "reads"
    PROGRAMS = "programs"
    UNMEASURED = "unmeasured"


@dataclass(frozen=True, slots=True, order=True)
class Reason:
    """One way in which a change reaches a test."""

    cause: Cause
    path: str = ""
    """What changed."""
    symbol: str = ""
    """The changed function in it."""

    def __str__(self) -> str:
        match self.cause:
            case Cause.ASKED:
                return "was asked for"
            case Cause.FAILED:
                return "failed when it ran last"
            case Cause.EXECUTES:
                return f"executes {self.symbol} in {self.path}"
            case Cause.IMPORTS:
                return f"imports {self.path}, which is another one at import"
            case Cause.READS:
                return f"reads {self.path}"
            case Cause.PROGRAMS:
                return f"starts programs, which may use {self.path}"
            case Cause.UNMEASURED:
                return f"imports {self.path}, and was not measured yet"
