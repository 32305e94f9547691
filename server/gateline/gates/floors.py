"""Floors: what caps the score and, at final, means another iteration whatever the rest says."""

from __future__ import annotations

from collections.abc import Iterable

from gateline.gates.due import is_due
from gateline.gates.inputs import counts
from gateline.model.finding import Finding, Weight
from gateline.model.level import Level
from gateline.model.policy import Policy, Profile

SYNTAX_ERROR = "GTL101"


def broken(policy: Policy, level: Level, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that break a floor at `level`, in their order. The profile `plain` has no floors."""
    if policy.profile is Profile.PLAIN:
        return ()
    return tuple(f for f in findings if counts(policy, f) and _breaks(f, level))


def _breaks(finding: Finding, level: Level) -> bool:
    if finding.code == SYNTAX_ERROR:
        return level is Level.FINAL
    return finding.weight is Weight.FLOOR and is_due(finding.dimension, level)


def reason(finding: Finding) -> str:
    """A broken floor in a line, for people."""
    return f"{finding.path}:{finding.span.start.line + 1}: {finding.code} {finding.message}"
