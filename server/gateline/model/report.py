"""One analyzer's answer about one document."""

from __future__ import annotations

from dataclasses import dataclass

from gateline.model.finding import Dimension, Finding
from gateline.model.measure import Measure, State


@dataclass(frozen=True, slots=True)
class Report:
    """What an analyzer found and measured, or why it could not."""

    analyzer: str
    dimension: Dimension
    state: State = State.MEASURED
    reason: str = ""
    """Why there is no data, or what failed; empty when measured."""
    findings: tuple[Finding, ...] = ()
    measures: tuple[Measure, ...] = ()
