"""What a user may write in `[tool.gateline]`, as one frozen model. Keys are in kebab-case in TOML."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gateline.model.policy import Policy, Profile, Weights
from gateline.settings.gates import GateSettings
from gateline.settings.section import (
    Grade,
    Names,
    Pattern,
    Patterns,
    Prefix,
    Section,
    Share,
    inconsistent,
    matches,
)


class TypesSettings(Section):
    """Type errors, from mypy, ty, or both."""

    enabled: bool = True
    """Whether types are checked."""
    engine: Literal["mypy", "ty", "both"] = "mypy"
    """`both` shows ty's new findings at once as provisional; mypy's answer replaces them."""
    memory_cap: Annotated[int, Field(ge=50)] = 220
    """Memory in megabytes at which the type checker's process is restarted."""
    timeout: Annotated[float, Field(gt=0)] = 60.0
    """Time limit of one answer of the type checker, in seconds."""
    plugins: Literal["trusted", "never"] = "trusted"
    """Whether the project's mypy plug-ins run: `trusted` runs them where tests may run, `never` does not."""


class SecuritySettings(Section):
    """Insecure code, found by bandit.

    The base's own settings of bandit are applied: `skips`, `tests`, `exclude_dirs` and the options of single
    tests in `[tool.bandit]`, `.bandit`, and `bandit.yaml` (also `.yml`, also with a leading dot) in the root;
    of ruff, the S codes in `ignore` and `per-file-ignores`. Not applied: bandit's `profiles` and `baseline`,
    files that are only named on a command line (`-c`, `--ini`), and exclusions on a command line.
    """

    enabled: bool = True
    """Whether to check for insecure code."""
    min_severity: Grade = "medium"
    """Lowest severity that is reported."""
    min_confidence: Grade = "medium"
    """Lowest confidence that is reported."""
    skip: Names = ("B101",)
    """IDs of bandit tests to skip."""


class SecretsSettings(Section):
    """Exposed secrets on changed lines, in Python and in every other text of the change.

    The base's `.secrets.baseline` of detect-secrets in the root is applied: entries audited as no secret, its
    detectors and their limits (tokens of known providers are always reported), and its exclude patterns for
    files, lines and secrets. Not applied: word lists, custom plug-ins, and options on a command line.
    """

    enabled: bool = True
    """Whether to check for exposed secrets."""


class ComplexitySettings(Section):
    """Cyclomatic complexity and maintainability."""

    enabled: bool = True
    """Whether complexity is measured."""


class DocumentationSettings(Section):
    """Missing docstrings."""

    enabled: bool = True
    """Whether documentation is measured."""


class DuplicationSettings(Section):
    """Changed code that duplicates other code of the workspace."""

    enabled: bool = True
    """Whether to check for duplicated code."""
    min_tokens: Annotated[int, Field(ge=10)] = 40
    """Smallest number of equal tokens in a row that counts as a duplicate."""


class TestsSettings(Section):
    """The project's tests and their coverage. An editor asks for consent before it runs any."""

    enabled: bool = True
    """Whether tests are run."""
    automatic: Literal["ask", "never"] = "ask"
    """In an editor: `ask` once per workspace for consent to run tests on unsaved text, or `never` run any."""
    arguments: Names = ()
    """Extra arguments of pytest, as on its command line."""
    timeout: Annotated[float, Field(gt=0)] = 30.0
    """Time limit of one test with its fixtures, in seconds."""
    total_timeout: Annotated[float, Field(gt=0)] = 600.0
    """Time limit of a whole test run, in seconds."""
    coverage_reports: Names = ("coverage.xml", "coverage.json", "lcov.info", "coverage.lcov")
    """Coverage reports of other tools, used where tests are not run, for files that did not change since."""
    affordable: Annotated[float, Field(ge=0)] = 120.0
    """If all tests take more seconds than this, only affected tests are run at final."""
    performance_budget: Annotated[float, Field(ge=0)] = 10.0
    """Seconds at final for timing tests that seem slower than at the base; 0 switches timing off."""
    memory_cap: Annotated[int, Field(ge=100)] = 2000
    """Memory in megabytes that tests may use in addition to collecting them."""
    network: bool = False
    """Whether tests may use the network; `false` allows only servers that they start on this machine."""


class IntegritySettings(Section):
    """Changes that game the gate: weakened tests, silenced checks, lowered thresholds."""

    enabled: bool = True
    """Whether to check for such changes."""


class WorklogSettings(Section):
    """The record of your work in your own state folder: tasks, their events, savepoints."""

    enabled: bool = True
    """Whether an editor records tasks, and reports unfinished ones."""
    savepoints: bool = True
    """Whether to take a savepoint at each checkpoint, also by `gateline check`; never where CI is set."""
    detect_newest: Annotated[int, Field(ge=1)] = 10
    """Number of newest tasks that are searched for unfinished work."""
    detect_within: Annotated[float, Field(gt=0)] = 0.5
    """Time limit of that search, in seconds."""
    abandoned_after: Annotated[float, Field(gt=0)] = 24.0
    """Hours after its start at which an unfinished task counts as abandoned and its events are deleted."""
    summaries_for: Annotated[float, Field(gt=0)] = 30.0
    """Days for which summaries and savepoints are kept."""
    active: Annotated[int, Field(ge=1)] = 50
    """Number of tasks in progress that keep their events; the least recently used lose them first."""
    warn_from: Annotated[int, Field(ge=1)] = 40
    """Number of tasks in progress from which a warning is shown."""
    size: Annotated[int, Field(ge=1)] = 200
    """Largest size of a workspace's tasks and savepoints, in megabytes."""
    largest_file: Annotated[int, Field(ge=1)] = 5_000_000
    """Largest file that a savepoint contains, in bytes."""
    batching: bool = True
    """Whether agents batch their requests; `false` raises the token limit of a task."""
    skip_from: Share = 0.8
    """Share of its time limit above which a batch makes the next one skip optional parts."""
    regression: Share = 0.15
    """Share by which a final score must be below the last accepted ones to be a regression."""
    regression_of: Annotated[int, Field(ge=1)] = 5
    """Number of last accepted final scores to compare with."""
    strict: Names = ()
    """Path patterns (* matches anything) whose change makes a task STRICT, overriding the inferred tier."""
    standard: Names = ()
    """Path patterns whose change makes a task STANDARD."""
    light: Names = ()
    """Path patterns whose change makes a task LIGHT."""
    exempt: Names = ()
    """Path patterns whose change makes a task EXEMPT."""


class ContextSettings(Section):
    """Relevant passages of the workspace: `gateline context`."""

    enabled: bool = True
    """Whether to index the workspace, in the user's cache."""
    exclude: Patterns = ()
    """Files to leave out of the index in addition to `exclude`: patterns as in a `.gitignore` file."""
    semantic: Literal["auto", "off"] = "auto"
    """Whether to use an installed sentence transformer; its vectors are computed in idle time."""
    model: Annotated[str, Field(min_length=1)] | None = None
    """Folder of the model's weights, relative to the root; by default an installed package is used."""


class CategoryWeights(Section):
    """The share of each category in the score of a candidate. They add up to 1."""

    correctness: Share = 0.40
    """Tests, types, lint, build, regressions, public interfaces."""
    quality: Share = 0.25
    """Complexity, size, duplication."""
    efficiency: Share = 0.15
    """Run time and memory."""
    completeness: Share = 0.10
    """Planned items, documentation, tests of new code."""
    safety: Share = 0.10
    """Security, secrets, integrity."""

    @model_validator(mode="after")
    def _add_up(self) -> Self:
        total = sum(self.model_dump().values())
        if abs(total - 1) > 1e-6:
            raise inconsistent(
                f"the five weights must add up to 1, they add up to {total:.6g}", *type(self).model_fields
            )
        return self


class CompareSettings(Section):
    """Comparing candidate solutions: `gateline compare`."""

    lint: Names = ()
    """Command line of the project's linter as a list of words; it runs in isolation and must exit with 0 if
    it does at the base. By default ruff, where the project configures it."""
    auto_accept: bool = False
    """Whether a winner that meets all floors is accepted without a person; nothing is merged."""
    cache: Annotated[float, Field(ge=0)] = 3600.0
    """Seconds for which a result is cached for the same candidates, base, environment and settings; 0
    disables the cache."""
    weights: CategoryWeights = CategoryWeights()
    """Weights of the categories in the score, the last stage of the ranking; `--learn` suggests values."""
    confidence_offset: Annotated[float, Field(ge=-2, le=2)] = 0.0
    """Offset added to the logit of the calibrated confidence; `gateline compare --learn` suggests one."""
    confidence_slope: Annotated[float, Field(ge=0.5, le=2)] = 1.0
    """Factor of the logit of the calibrated confidence, applied before the offset."""


class ModelsSettings(Section):
    """The language model for `gateline compare --assess` and judge suites; none is used without an endpoint.

    Only the environment (`GATELINE_MODELS__ENDPOINT`) and the command line can set these: a file of the
    workspace cannot decide where its content is sent, or what that may cost.
    """

    endpoint: Annotated[str, Field(pattern=r"^(https?://|recorded:).+")] | None = None
    """URL of an OpenAI-compatible API, such as `http://127.0.0.1:11434/v1`; or `recorded:` and a file."""
    name: Annotated[str, Field(min_length=1)] | None = None
    """Name of the model at the endpoint."""
    key_variable: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    """Name of the environment variable with the API key, such as `OPENAI_API_KEY`; never the key itself."""
    timeout: Annotated[float, Field(gt=0)] = 60.0
    """Time limit of one request with all its retries, in seconds."""
    retries: Annotated[int, Field(ge=0, le=5)] = 2
    """Number of retries after an invalid answer."""
    tokens: Annotated[int, Field(ge=1)] = 50_000
    """Token budget of one command, checked after each request; requests beyond it are not sent."""


class AgentsSettings(Section):
    """Services for coding agents: hooks and the MCP server."""

    idle: Annotated[float, Field(gt=0)] = 15.0
    """Idle minutes after which the resident engine stops; the next request restarts it."""


class Override(Section):
    """Codes that are ignored for some paths."""

    paths: Annotated[tuple[Pattern, ...], Field(strict=False, min_length=1)]
    """Patterns as in a `.gitignore` file, relative to the workspace root."""
    ignore: Annotated[tuple[Prefix, ...], Field(strict=False, min_length=1)]
    """Codes or prefixes of codes: `GTL5` is all of documentation."""


class Settings(Section):
    """Everything gateline can be told."""

    base: Annotated[str, Field(min_length=1)] | None = None
    """The commit to compare a change with; by default the merge-base with the default branch."""
    python: Annotated[str, Field(min_length=1)] | None = None
    """The project's interpreter, or its environment's folder; detected by default, see `gateline doctor`."""
    profile: Literal["standard", "plain"] = "standard"
    """`plain` also judges old findings, without smoothing and floors."""
    exclude: Patterns = ()
    """Files to ignore: patterns as in a `.gitignore` file, relative to the workspace root."""
    max_file_size: Annotated[int, Field(ge=1)] = 3_000_000
    """Largest file that is judged, in bytes."""
    gates: GateSettings = GateSettings()
    types: TypesSettings = TypesSettings()
    security: SecuritySettings = SecuritySettings()
    secrets: SecretsSettings = SecretsSettings()
    complexity: ComplexitySettings = ComplexitySettings()
    documentation: DocumentationSettings = DocumentationSettings()
    duplication: DuplicationSettings = DuplicationSettings()
    tests: TestsSettings = TestsSettings()
    integrity: IntegritySettings = IntegritySettings()
    context: ContextSettings = ContextSettings()
    worklog: WorklogSettings = WorklogSettings()
    agents: AgentsSettings = AgentsSettings()
    compare: CompareSettings = CompareSettings()
    models: ModelsSettings = ModelsSettings()
    overrides: Annotated[tuple[Override, ...], Field(strict=False)] = ()
    """Codes that are ignored for some paths."""

    def policy(self) -> Policy:
        """The thresholds, as the gates take them."""
        gates = self.gates.model_dump(exclude={"weights"})
        weights = Weights(**self.gates.weights.model_dump())
        return Policy(profile=Profile(self.profile), weights=weights, **gates)

    def ignored(self, path: str) -> tuple[str, ...]:
        """The beginnings of codes that are left out at `path`, sorted."""
        matching = (o for o in self.overrides if matches(o.paths, path))
        return tuple(sorted({prefix for override in matching for prefix in override.ignore}))

    def excludes(self, path: str) -> bool:
        """Whether the file at `path`, relative to the workspace root, is left out altogether."""
        return matches(self.exclude, path)
