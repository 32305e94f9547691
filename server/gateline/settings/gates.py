"""What a user may write in `[tool.gateline.gates]`: the numbers a change is judged by."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from gateline.settings.section import Count, Points, Section, Share, inconsistent


class WeightSettings(Section):
    """The share of each scored dimension in the score; the shares must add up to 1."""

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
    """The thresholds for judging a change."""

    early_type_errors: Count = 5
    """Number of new type errors above which the early checkpoint warns of the quality trend."""
    middle_failing_share: Share = 0.10
    """Share of failing tests above which the middle checkpoint decides adjust-strategy."""
    middle_score: Points = 60.0
    """Score below which the middle checkpoint decides warn-below-target."""
    final_accept: Points = 85.0
    """Lowest score that the final checkpoint accepts."""
    final_conditional: Points = 70.0
    """Lowest score that the final checkpoint accepts with conditions."""
    evidence: Share = 0.6
    """Share of evidence below which the final checkpoint is undecided."""
    floor_cap: Points = 59.0
    """Highest score while a floor is broken."""
    integrity_cap: Points = 84.0
    """Highest score while an integrity finding counts that is not a floor; below final-accept, so the change
    is accepted with conditions at most."""
    error_points: Points = 10.0
    """Points that each syntax error, type error or failing test takes from the errors dimension."""
    security_points: Points = 10.0
    """Points that each counting security finding takes from the security dimension."""
    trajectory_drop: Points = 10.0
    """Loss of points from early to middle above which the trajectory is negative."""
    trajectory_rise: Points = 30.0
    """Gain of points from early to middle above which progress is excellent."""
    complexity_best: Annotated[float, Field(ge=1)] = 10.0
    """Cyclomatic complexity up to which a function scores 100."""
    complexity_worst: Annotated[float, Field(ge=1)] = 30.0
    """Cyclomatic complexity from which a function scores 0."""
    coverage_small: Count = 20
    """Number of changed lines and branches below which coverage is smoothed."""
    required_actions: Count = 5
    """Largest number of required actions of a decision."""
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
