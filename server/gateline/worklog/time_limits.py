"""Which operations there is time for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SKIP_FROM = 0.8
"""Over this share of its time, a phase leaves none for what is optional in the next."""


class Operation(StrEnum):
    """What gateline does for a worklog beside recording events."""

    START = "worklog_start"
    END = "worklog_end"
    VERIFICATION = "verification"
    CHECKPOINT_SUMMARY = "checkpoint_summary"
    METRICS_LOG = "metrics_log"
    SUMMARY_UPDATE = "summary_update"


REQUIRED = frozenset({Operation.START, Operation.END, Operation.VERIFICATION})


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """What the last phase took, of what it was allowed, in seconds."""

    taken: float = 0.0
    allowed: float = 0.0


def skipped(operation: Operation, last: PhaseTime, skip_from: float = SKIP_FROM) -> str:
    """Why an operation is left out; "" when it is not. Required ones never are."""
    if operation in REQUIRED or not last.allowed or last.taken <= skip_from * last.allowed:
        return ""
    return f"the last phase took {last.taken / last.allowed:.0%} of its time limit"
