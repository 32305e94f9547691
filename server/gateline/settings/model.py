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
    """Megabytes at which the type checker's process is started anew."""
    timeout: Annotated[float, Field(gt=0)] = 60.0
    """Seconds to wait for one answer."""
    plugins: Literal["trusted", "never"] = "trusted"
    """Whether mypy plug-ins of the project run; in an editor where it is trusted and tests may be run."""


class SecuritySettings(Section):
    """Insecure code, found by bandit.

    The base's settings of bandit are heeded as well: `skips`, `tests`, `exclude_dirs` and the options of
    single tests in `[tool.bandit]`, `.bandit`, and `bandit.yaml` (also `.yml`, also with a leading dot) in
    the root; of ruff, the S codes in `ignore` and `per-file-ignores`. Not heeded: bandit's `profiles` and
    `baseline`, files of other names that only a command line gives to `-c` or `--ini`, and what such a
    command line leaves out.
    """

    enabled: bool = True
    """Whether insecure code is looked for."""
    min_severity: Grade = "medium"
    """A finding of lower severity is not shown."""
    min_confidence: Grade = "medium"
    """A finding of lower confidence is not shown."""
    skip: Names = ("B101",)
    """Tests of bandit that are left out."""


class SecretsSettings(Section):
    """Exposed secrets on changed lines, in Python and in every other text of the change.

    The base's `.secrets.baseline` of detect-secrets in the root is heeded: what is audited as no secret, the
    detectors it uses and their limits (a known maker's token is looked for all the same), and its patterns
    for files, lines and secrets. Not heeded: word lists, plug-ins of one's own, and options on a command
    line.
    """

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
    """Seconds to run tests that look slower than at the base in turns, at final; 0: nothing is timed."""
    memory_cap: Annotated[int, Field(ge=100)] = 2000
    """Megabytes that tests may take beyond what collecting them takes."""
    network: bool = False
    """Whether tests may reach the network; without, only what they serve themselves on this machine."""


class IntegritySettings(Section):
    """Changes that game the gate: weakened tests, silenced checks, lowered thresholds."""

    enabled: bool = True
    """Whether they are looked for."""


class WorklogSettings(Section):
    """What is remembered of work, in your own state folder: tasks, their events, savepoints."""

    enabled: bool = True
    """Whether an editor records the work, and tells of work that was left."""
    savepoints: bool = True
    """Whether the content is kept at each checkpoint, also by `gateline check`; never where CI is set."""
    detect_newest: Annotated[int, Field(ge=1)] = 10
    """So many tasks are looked at for work that was left."""
    detect_within: Annotated[float, Field(gt=0)] = 0.5
    """Seconds after which that is given up, silently."""
    abandoned_after: Annotated[float, Field(gt=0)] = 24.0
    """Hours after its start at which a task that is not done counts as abandoned, and loses its events."""
    summaries_for: Annotated[float, Field(gt=0)] = 30.0
    """Days that summaries and savepoints are kept."""
    active: Annotated[int, Field(ge=1)] = 50
    """So many tasks in progress keep their events; the longest unused lose them first."""
    warn_from: Annotated[int, Field(ge=1)] = 40
    """From so many tasks in progress on, that is said."""
    size: Annotated[int, Field(ge=1)] = 200
    """Megabytes that the tasks and savepoints of a workspace may take."""
    largest_file: Annotated[int, Field(ge=1)] = 5_000_000
    """Bytes of a file above which a savepoint does not hold it."""
    batching: bool = True
    """Whether agents ask for several things at once; without, a task may be handed more tokens."""
    skip_from: Share = 0.8
    """A batch that took over this share of its time leaves out what is optional in the next."""
    regression: Share = 0.15
    """A final score that is lower by this share than those accepted last is a regression."""
    regression_of: Annotated[int, Field(ge=1)] = 5
    """So many accepted final scores it is compared with."""
    strict: Names = ()
    """Paths, with * for anything, whose change makes a task STRICT, whatever it would be."""
    standard: Names = ()
    """The same for STANDARD."""
    light: Names = ()
    """The same for LIGHT."""
    exempt: Names = ()
    """The same for EXEMPT."""


class ContextSettings(Section):
    """The passages of the workspace that matter: `gateline context`."""

    enabled: bool = True
    """Whether the workspace is indexed, in the user's cache."""
    exclude: Patterns = ()
    """Files that are left out besides `exclude`: patterns as in a `.gitignore` file."""
    semantic: Literal["auto", "off"] = "auto"
    """Whether a sentence transformer takes part where one is installed; its vectors are made in idle time."""
    model: Annotated[str, Field(min_length=1)] | None = None
    """The folder of its weights, relative to the root; without it they are looked for on the machine."""


class CategoryWeights(Section):
    """The share of each category in the score of a candidate. They add up to 1."""

    correctness: Share = 0.40
    """Tests, types, lint, build, regressions, the interface of packages."""
    quality: Share = 0.25
    """Complexity, size, duplication."""
    efficiency: Share = 0.15
    """Run time and memory."""
    completeness: Share = 0.10
    """What the plan names, documentation, tests of new code."""
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
    """The words of the project's own lint command, which runs in isolation and must end with 0 where it does
    at the base; none: ruff, where the project is set up for it."""
    auto_accept: bool = False
    """Whether a winner that holds all floors counts as accepted without a person; nothing is merged."""
    cache: Annotated[float, Field(ge=0)] = 3600.0
    """Seconds for which the answer is given again where candidates, base, environment and settings are the
    same; 0 compares each time."""
    weights: CategoryWeights = CategoryWeights()
    """Of the score, the last that decides; `gateline compare --learn` proposes others."""
    confidence_offset: Annotated[float, Field(ge=-2, le=2)] = 0.0
    """Added to the logit of the calibrated confidence; `gateline compare --learn` proposes one."""
    confidence_slope: Annotated[float, Field(ge=0.5, le=2)] = 1.0
    """By which the logit of the calibrated confidence is multiplied before."""


class ModelsSettings(Section):
    """The language model of `gateline compare --assess` and judge suites; without an endpoint none is asked.

    Only the environment (`GATELINE_MODELS__ENDPOINT`) and a command line are heeded: no file of a workspace
    decides where its content is sent, or what that may cost.
    """

    endpoint: Annotated[str, Field(pattern=r"^(https?://|recorded:).+")] | None = None
    """Where it is asked, by OpenAI's API, as `http://127.0.0.1:11434/v1`; or `recorded:` and a file."""
    name: Annotated[str, Field(min_length=1)] | None = None
    """The model's name there."""
    key_variable: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    """The name of the variable that holds the secret key, as `OPENAI_API_KEY`; never the key itself."""
    timeout: Annotated[float, Field(gt=0)] = 60.0
    """Seconds for one question with all of its retries."""
    retries: Annotated[int, Field(ge=0, le=5)] = 2
    """Times that an answer which is not valid is asked for again."""
    tokens: Annotated[int, Field(ge=1)] = 50_000
    """Of one command; what is left over this is not asked. It is looked at after each request."""


class AgentsSettings(Section):
    """What answers coding agents: their hooks, and the MCP server."""

    idle: Annotated[float, Field(gt=0)] = 15.0
    """Minutes without a question after which the resident engine ends; the next question starts it again."""


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
    python: Annotated[str, Field(min_length=1)] | None = None
    """The project's interpreter, or the folder of its environment; else one is found, as `doctor` tells."""
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
    context: ContextSettings = ContextSettings()
    worklog: WorklogSettings = WorklogSettings()
    agents: AgentsSettings = AgentsSettings()
    compare: CompareSettings = CompareSettings()
    models: ModelsSettings = ModelsSettings()
    overrides: Annotated[tuple[Override, ...], Field(strict=False)] = ()
    """Codes that are left out for some paths."""

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
