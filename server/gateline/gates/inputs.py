"""What the gates judge: findings with their novelty, and the measures of what the change touches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from gateline.model.evaluation import FunctionChange, SourceState
from gateline.model.finding import Dimension, Finding, Novelty, Weight
from gateline.model.measure import State
from gateline.model.policy import Policy, Profile


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a dimension could be measured at all, and why not."""

    state: State = State.MEASURED
    reason: str = ""
    sources: tuple[SourceState, ...] = ()
    """Where the dimension has several sources, what each of them said."""


@dataclass(frozen=True, slots=True)
class DocumentedChange:
    """A new or changed public function, class or module; None where it does not exist."""

    path: str
    symbol: str
    line: int
    before: bool | None
    after: bool


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the changed lines and branches that can be executed the tests executed."""

    covered: int
    executable: int
    before: float | None = None
    """The share of the base's lines and branches that was covered, 0-1; None: not known."""


@dataclass(frozen=True, slots=True)
class GateInput:
    """Everything a score is made of."""

    availability: Mapping[Dimension, Availability] = field(default_factory=lambda: MappingProxyType({}))
    """A dimension that is not named here was measured."""
    findings: tuple[Finding, ...] = ()
    """Those of now, new and old, without the suppressed ones."""
    functions: tuple[FunctionChange, ...] = ()
    """The functions that are judged; one without a complexity now is passed over."""
    documented: tuple[DocumentedChange, ...] = ()
    duplicated: float | None = None
    """The share of duplicated lines in the changed files, 0-1."""
    coverage: Coverage | None = None
    """None: nothing that was changed can be executed."""
    performance: float | None = None
    """0-100, what the grade of the tests of the change is worth; None: not known."""
    credit: int = 0
    """Old findings that went away."""
    everything: bool = False
    """Whether every file is judged, not a change."""

    def counting(self, policy: Policy, dimension: Dimension) -> tuple[Finding, ...]:
        """The findings that lower the score of `dimension`."""
        return tuple(f for f in self.findings if f.dimension is dimension and counts(policy, f))


def counts(policy: Policy, finding: Finding) -> bool:
    """Whether `finding` counts at a checkpoint where its dimension is due."""
    judged = finding.novelty is Novelty.NEW or policy.profile is Profile.PLAIN
    return judged and finding.weight is not Weight.ADVICE
