"""How a finding is shown."""

from __future__ import annotations

from gateline.model.finding import Finding, Novelty, Severity, Weight
from gateline.model.level import Level

_REGRESSION = "GTL7"


def severity(finding: Finding, level: Level) -> Severity:
    """Only a floor or a regression at final is an error; what the base has already is a hint."""
    if finding.novelty is Novelty.OLD:
        return Severity.HINT
    if finding.weight is Weight.FLOOR or finding.code.startswith(_REGRESSION):
        return Severity.ERROR if level is Level.FINAL else Severity.WARNING
    return Severity.WARNING if finding.weight is Weight.COUNTS else Severity.INFORMATION
