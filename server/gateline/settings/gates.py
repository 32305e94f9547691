"""What a user may write in `[tool.gateline.gates]`: the numbers a change is judged by."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from gateline.settings.section import Count, Points, Section, Share, inconsistent


class WeightSettings(Section):
    """The share of each scored dimension in the score. They add up to 1."""

    errors: Share = 0.40
    """Syntax errors, type errors, failing tests."""
    coverage: Share = 0.25
    """Line and branch coverage of the changed lines."""
    security: Share = 0.20
    """Insecure code and exposed secrets."""
    complexity: Share = 0.10
    """Cyclomatic complexity of the changed functions."""
    documentation: Share = 0.05
    """Docstrings of the changed public functions, classes and modules."""

    @model_validator(mode="after")
    def _add_up(self) -> Self:
        total = self.errors + self.coverage + self.security + self.complexity + self.documentation
        if abs(total - 1) > 1e-6:
            raise inconsistent(
                f"the five weights must add up to 1, they add up to {total:.6g}", *type(self).model_fields
            )
        return self


class GateSettings(Section):
    """The thresholds a change is judged by."""

    early_type_errors: Count = 5
    """At early, more new type errors than this warn of the quality trend."""
    middle_failing_share: Share = 0.10
    """At middle, a larger share of failing tests asks for another strategy."""
    middle_score: Points = 60.0
    """At middle, a lower score is below target."""
    final_accept: Points = 85.0
    """At final, the lowest score that is accepted."""
    final_conditional: Points = 70.0
    """At final, the lowest score that is accepted with conditions."""
    evidence: Share = 0.6
    """At final, less evidence than this leaves the change undecided."""
    floor_cap: Points = 59.0
    """The highest score while a floor is broken."""
    integrity_cap: Points = 84.0
    """The highest score while an integrity finding that is no floor counts: below final-accept, so that it is
    accepted on conditions at most."""
    error_points: Points = 10.0
    """What one syntax error, type error or failing test takes from the errors dimension."""
    security_points: Points = 10.0
    """What one security finding that counts takes from the security dimension."""
    trajectory_drop: Points = 10.0
    """A larger loss of points from early to middle is a negative trajectory."""
    trajectory_rise: Points = 30.0
    """A larger gain of points from early to middle is excellent progress."""
    complexity_best: Annotated[float, Field(ge=1)] = 10.0
    """Cyclomatic complexity up to here is worth 100."""
    complexity_worst: Annotated[float, Field(ge=1)] = 30.0
    """Cyclomatic complexity from here on is worth 0."""
    coverage_small: Count = 20
    """Under this many changed lines and branches, coverage is smoothed."""
    required_actions: Count = 5
    """How many next steps a decision names at most."""
    weights: WeightSettings = WeightSettings()

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.final_conditional > self.final_accept:
            raise inconsistent(
                "final-conditional must not be above final-accept", "final_conditional", "final_accept"
            )
        if self.complexity_best >= self.complexity_worst:
            raise inconsistent(
                "complexity-best must be below complexity-worst", "complexity_best", "complexity_worst"
            )
        return self
