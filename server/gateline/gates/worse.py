"""Functions that a change makes worse: what costs points is a finding of the change, old or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gateline.gates.functions import COMPLEX_FUNCTION
from gateline.model.evaluation import FunctionChange
from gateline.model.finding import Finding, Novelty
from gateline.model.policy import Policy


def with_worse(
    policy: Policy, findings: Iterable[Finding], functions: Sequence[FunctionChange]
) -> tuple[Finding, ...]:
    """The findings; one about a function that was complex before and is more so now is new, and says so."""
    worse = {(f.path, f.line): f for f in functions if _is_worse(policy, f)}
    found = (_told(finding, worse.get((finding.path, finding.span.start.line))) for finding in findings)
    return tuple(sorted(found, key=lambda finding: finding.sort_key))


def _is_worse(policy: Policy, function: FunctionChange) -> bool:
    before, after = function.complexity_before, function.complexity_after
    return before is not None and after is not None and after > max(policy.complexity_best, before)


def _told(finding: Finding, function: FunctionChange | None) -> Finding:
    if function is None or finding.code != COMPLEX_FUNCTION or finding.novelty is not Novelty.OLD:
        return finding
    message = f"{finding.message}, {function.complexity_before:g} at the base"
    return replace(finding, novelty=Novelty.NEW, message=message)
