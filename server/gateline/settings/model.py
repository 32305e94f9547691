"""What a user may write in `[tool.gateline]`, as one frozen model. Keys are in kebab-case in TOML."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, Literal, Self

from pathspec import GitIgnoreSpec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from gateline.model.policy import Policy, Profile, Weights


@lru_cache(maxsize=128)
def _spec(patterns: tuple[str, ...]) -> GitIgnoreSpec:
    return GitIgnoreSpec.from_lines(patterns)


def _valid_pattern(text: str) -> str:
    try:
        _spec((text,))
    except (ValueError, re.error) as error:
        raise ValueError(f"not a pattern as in a .gitignore file: {error}") from error
    return text


Share = Annotated[float, Field(ge=0, le=1)]
Points = Annotated[float, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=0)]
# Lists come out of TOML, tuples go into a frozen model: the one conversion that strictness must allow.
Names = Annotated[tuple[str, ...], Field(strict=False)]
Pattern = Annotated[str, AfterValidator(_valid_pattern)]
Patterns = Annotated[tuple[Pattern, ...], Field(strict=False)]
Prefix = Annotated[str, StringConstraints(pattern=r"^GTL\d{0,3}$")]
INCONSISTENT = "inconsistent"
"""The type of an error about several keys of one table; its context names them as `keys`."""
Grade = Literal["low", "medium", "high"]


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def _inconsistent(message: str, *names: str) -> PydanticCustomError:
    """An error about several keys of one table, which `settings.load` then takes back together."""
    return PydanticCustomError(INCONSISTENT, message, {"keys": tuple(map(_kebab, names))})


class Section(BaseModel):
    """A table of settings: closed, frozen, and strict about types."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=_kebab,
        validate_by_name=True,
        validate_by_alias=True,
        allow_inf_nan=False,
        use_attribute_docstrings=True,
    )


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
            raise _inconsistent(
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
    """At final, a score from here on is accepted."""
    final_conditional: Points = 70.0
    """At final, a score from here on is accepted with conditions."""
    evidence: Share = 0.6
    """At final, less evidence than this leaves the change undecided."""
    floor_cap: Points = 59.0
    """The highest score while a floor is broken."""
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
            raise _inconsistent(
                "final-conditional must not be above final-accept", "final_conditional", "final_accept"
            )
        if self.complexity_best >= self.complexity_worst:
            raise _inconsistent(
                "complexity-best must be below complexity-worst", "complexity_best", "complexity_worst"
            )
        return self


class TypesSettings(Section):
    """Type errors, from mypy, ty, or both."""

    enabled: bool = True
    """Whether types are checked."""
    engine: Literal["mypy", "ty", "both"] = "mypy"
    """`both` shows ty's new findings at once as provisional; mypy's answer replaces them."""
    memory_cap: Annotated[int, Field(ge=50)] = 220
    """Megabytes at which the type checker's process is started anew."""
    timeout: Annotated[float, Field(gt=0)] = 60.0
    """Seconds to wait for one answer."""
    plugins: Literal["trusted", "never"] = "trusted"
    """Whether mypy plug-ins of the project run in a trusted workspace."""


class SecuritySettings(Section):
    """Insecure code, found by bandit."""

    enabled: bool = True
    """Whether insecure code is looked for."""
    min_severity: Grade = "medium"
    """A finding of lower severity is advice and does not count."""
    min_confidence: Grade = "medium"
    """A finding of lower confidence is advice and does not count."""
    skip: Names = ("B101",)
    """Tests of bandit that are left out."""


class SecretsSettings(Section):
    """Exposed secrets on changed lines."""

    enabled: bool = True
    """Whether secrets are looked for."""


class ComplexitySettings(Section):
    """Cyclomatic complexity and maintainability."""

    enabled: bool = True
    """Whether complexity is measured."""


class DocumentationSettings(Section):
    """Missing docstrings."""

    enabled: bool = True
    """Whether documentation is measured."""


class DuplicationSettings(Section):
    """Changed code that stands elsewhere in the workspace already."""

    enabled: bool = True
    """Whether duplicated code is looked for."""
    min_tokens: Annotated[int, Field(ge=10)] = 40
    """The shortest run of equal tokens that is a duplicate."""


class TestsSettings(Section):
    """The project's tests, and what they cover. They are its code: an editor asks before it runs any."""

    enabled: bool = True
    """Whether tests are run."""
    automatic: Literal["ask", "never"] = "ask"
    """In an editor: ask once for each workspace whether tests are run on unsaved text, or never run any."""
    arguments: Names = ()
    """For pytest, as on its command line."""
    timeout: Annotated[float, Field(gt=0)] = 30.0
    """Seconds for one test with its fixtures."""
    total_timeout: Annotated[float, Field(gt=0)] = 600.0
    """Seconds for all tests of one run."""
    coverage_reports: Names = ("coverage.xml", "coverage.json", "lcov.info", "coverage.lcov")
    """Reports of other tools that are believed where tests are not run, of files not written since."""
    affordable: Annotated[float, Field(ge=0)] = 120.0
    """Seconds: if all tests take longer, only those that the change affects are run at final."""
    performance_budget: Annotated[float, Field(ge=0)] = 10.0
    """Seconds to time the tests of the change beside the base, at final; 0: not at all."""
    memory_cap: Annotated[int, Field(ge=100)] = 2000
    """Megabytes that tests may take beyond what collecting them takes."""
    network: bool = False
    """Whether tests may reach the network; without, only what they serve themselves on this machine."""


class IntegritySettings(Section):
    """Changes that game the gate: weakened tests, silenced checks, lowered thresholds."""

    enabled: bool = True
    """Whether they are looked for."""


class Override(Section):
    """Codes that are left out for some paths."""

    paths: Annotated[tuple[Pattern, ...], Field(strict=False, min_length=1)]
    """Patterns as in a `.gitignore` file, relative to the workspace root."""
    ignore: Annotated[tuple[Prefix, ...], Field(strict=False, min_length=1)]
    """Codes, or beginnings of codes: `GTL5` is all of documentation."""


class Settings(Section):
    """Everything gateline can be told."""

    base: Annotated[str, Field(min_length=1)] | None = None
    """The commit a change is measured against; without it the merge-base with the default branch."""
    profile: Literal["standard", "plain"] = "standard"
    """`plain` judges every finding, old ones too, without smoothing and floors."""
    exclude: Patterns = ()
    """Files that are not looked at: patterns as in a `.gitignore` file, relative to the workspace root."""
    max_file_size: Annotated[int, Field(ge=1)] = 3_000_000
    """Bytes above which a file is skipped."""
    gates: GateSettings = GateSettings()
    types: TypesSettings = TypesSettings()
    security: SecuritySettings = SecuritySettings()
    secrets: SecretsSettings = SecretsSettings()
    complexity: ComplexitySettings = ComplexitySettings()
    documentation: DocumentationSettings = DocumentationSettings()
    duplication: DuplicationSettings = DuplicationSettings()
    tests: TestsSettings = TestsSettings()
    integrity: IntegritySettings = IntegritySettings()
    overrides: Annotated[tuple[Override, ...], Field(strict=False)] = ()
    """Codes that are left out for some paths."""

    def policy(self) -> Policy:
        """The thresholds, as the gates take them."""
        gates = self.gates.model_dump(exclude={"weights"})
        weights = Weights(**self.gates.weights.model_dump())
        return Policy(profile=Profile(self.profile), weights=weights, **gates)

    def ignored(self, path: str) -> tuple[str, ...]:
        """The beginnings of codes that are left out at `path`, sorted."""
        matching = (o for o in self.overrides if _matches(o.paths, path))
        return tuple(sorted({prefix for override in matching for prefix in override.ignore}))

    def excludes(self, path: str) -> bool:
        """Whether the file at `path`, relative to the workspace root, is left out altogether."""
        return _matches(self.exclude, path)


def _matches(patterns: tuple[str, ...], path: str) -> bool:
    return _spec(patterns).match_file(path)
