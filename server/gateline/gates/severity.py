"""How a finding is shown."""

from __future__ import annotations

from gateline.model.finding import Finding, Novelty, Severity, Weight
from gateline.model.level import Level
from gateline.model.policy import Profile

_REGRESSION = "GTL7"


def severity(finding: Finding, level: Level, profile: Profile = Profile.STANDARD) -> Severity:
    """Only a floor or a regression at final is an error; what the base has already is a hint.

    In the profile `plain`, which has no floors, old findings count, and all that counts is a warning.
    """
    if profile is Profile.PLAIN and finding.weight is not Weight.ADVICE:
        return Severity.WARNING
    if finding.novelty is Novelty.OLD:
        return Severity.HINT
    if finding.weight is Weight.ADVICE:
        return Severity.INFORMATION
    if finding.weight is Weight.FLOOR or finding.code.startswith(_REGRESSION):
        return Severity.ERROR if level is Level.FINAL else Severity.WARNING
    return Severity.WARNING
