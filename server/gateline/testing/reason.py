"""Why a test is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class Cause(StrEnum):
    """How a change reaches a test."""

    ASKED = "asked"
    FAILED = "failed"
    EXECUTES = "executes"
    IMPORTS = "imports"
    READS = "reads"
    PROGRAMS = "programs"
    LISTS = "lists"
    SEEKS = "seeks"
    UNMEASURED = "unmeasured"
    MAY_READ = "may read"
    NEW = "new"


@dataclass(frozen=True, slots=True, order=True)
class Reason:
    """One way in which a change reaches a test."""

    cause: Cause
    path: str = ""
    """What changed."""
    symbol: str = ""
    """The changed function in it."""

    def __str__(self) -> str:
        return _SAID[self.cause].format(path=self.path, symbol=self.symbol)


_SAID: Mapping[Cause, str] = MappingProxyType(
    {
        Cause.ASKED: "was asked for",
        Cause.FAILED: "failed when it ran last",
        Cause.EXECUTES: "executes {symbol} in {path}",
        Cause.IMPORTS: "imports {path}, whose import-time code changed",
        Cause.READS: "reads {path}",
        Cause.PROGRAMS: "starts programs, which may use {path}",
        Cause.LISTS: "lists {path}, whose entries changed",
        Cause.SEEKS: "may look for {path}",
        Cause.UNMEASURED: "imports {path}, and was not measured yet",
        Cause.MAY_READ: "may read {path}, and was not measured yet",
        Cause.NEW: "was never measured",
    }
)
