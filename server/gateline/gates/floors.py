"""What caps the score: floors, and what integrity found.

A broken floor means another iteration at final, whatever the rest says.
"""

from __future__ import annotations

from collections.abc import Iterable

from gateline.gates.due import is_due
from gateline.gates.inputs import counts
from gateline.model.finding import Dimension, Finding, Weight
from gateline.model.level import Level
from gateline.model.policy import Policy, Profile

SYNTAX_ERROR = "GTL101"


def broken(policy: Policy, level: Level, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings that break a floor at `level`, in their order. The profile `plain` has no floors."""
    if policy.profile is Profile.PLAIN:
        return ()
    return tuple(f for f in findings if counts(policy, f) and _breaks(f, level))


def capping(policy: Policy, level: Level, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The integrity findings that break no floor and count at `level`: they cap the score at `integrity_cap`.

    In the profile `plain`, which has no floors, every one that counts.
    """
    if not is_due(Dimension.INTEGRITY, level):
        return ()
    floor = () if policy.profile is Profile.PLAIN else (Weight.FLOOR,)
    return tuple(
        f
        for f in findings
        if f.dimension is Dimension.INTEGRITY and f.weight not in floor and counts(policy, f)
    )


def _breaks(finding: Finding, level: Level) -> bool:
    if finding.code == SYNTAX_ERROR:
        return level is Level.FINAL
    return finding.weight is Weight.FLOOR and is_due(finding.dimension, level)


def reason(finding: Finding) -> str:
    """A broken floor in a line, for people."""
    remark = f" ({finding.remark})" if finding.remark else ""
    return f"{finding.path}:{finding.span.start.line + 1}: {finding.code} {finding.message}{remark}"
