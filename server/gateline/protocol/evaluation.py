"""An evaluation as it goes over the wire and into reports: in camelCase, versioned."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from gateline.protocol.types import Wire


class Reading(Wire):
    """A wire type that is read from the engine's own values."""

    model_config = ConfigDict(extra="ignore", from_attributes=True)


class PositionResult(Reading):
    """A place: zero-based, columns in code points."""

    line: int = Field(description="Zero-based line.")
    column: int = Field(description="Zero-based column, in code points.")


class SpanResult(Reading):
    """The characters from `start` up to, and without, `end`."""

    start: PositionResult
    end: PositionResult


class RelatedResult(Reading):
    """A second place that explains a finding."""

    path: str = Field(description="Relative to the root, with `/`.")
    span: SpanResult
    message: str


class FindingResult(Reading):
    """One problem at one place."""

    identity: str = Field(description="12 hexadecimal digits; survives edits elsewhere.")
    code: str = Field(description="GTL and three digits.")
    path: str = Field(description="Relative to the root, with `/`.")
    span: SpanResult
    message: str
    dimension: str
    weight: str = Field(description="floor, counts or advice.")
    novelty: str = Field(description="new or old, against the base.")
    origin: str = Field("", description="The tool and its own code; empty for gateline's own rules.")
    symbol: str = Field("", description="The function or class around it.")
    provisional: bool = Field(False, description="A faster tool's answer, to be replaced.")
    related: tuple[RelatedResult, ...] = ()
    remark: str = Field("", description="What else is told: that the change adds a comment about it.")
    severity: str = Field(description="error, warning, information or hint: how it is shown at this level.")
    page: str = Field(description="Where its code is explained.")
    points: float = Field(0.0, description="What the score would win without it; 0 when it costs nothing.")


class SourceResult(Reading):
    """Whether one source of a dimension answered."""

    name: str = Field(description="parser, types or tests.")
    state: str = Field(description="measured, nothing to judge, no data, stale, or failed.")
    reason: str = Field("", description="Why it did not answer.")


class AcceptedResult(Reading):
    """A new finding that a person accepted: it neither counts nor stops the change."""

    finding: FindingResult
    reason: str = Field(description="Why; empty where the settings leave it out.")
    source: str = Field(description="Where it was accepted: waivers of the base, the command line, settings.")
    expires: str = Field("", description="The last day on which that holds, ISO 8601; empty: no such day.")


class PartResult(Reading):
    """One dimension's part of the score."""

    dimension: str
    state: str = Field(description="measured, nothing to judge, not due, no data, stale, or failed.")
    reason: str = Field("", description="Why there is no number.")
    value: float | None = Field(None, description="0-100; null unless measured.")
    weight: float = Field(0.0, description="Its share among the measured dimensions.")
    points: float = Field(0.0, description="What it adds to the score; all points add up to `raw`.")
    before: float | None = Field(None, description="The same value at the base.")
    detail: str = Field("", description="The numbers behind it, for people.")
    sources: tuple[SourceResult, ...] = Field(
        (), description="Where it has several: it counts in the evidence by the share of those that answered."
    )


class ScoreResult(Reading):
    """0-100, or null when nothing could be measured."""

    value: float | None = Field(description="After caps.")
    raw: float | None = Field(description="Before caps: the sum of all points.")
    evidence: float = Field(description="The share of the weight that could be measured, 0-1.")
    parts: tuple[PartResult, ...] = ()
    floors: tuple[str, ...] = Field((), description="The broken floors, which cap the score at `floorCap`.")
    caps: tuple[str, ...] = Field(
        (), description="The integrity findings that count, which cap the score at `integrityCap`."
    )
    credit: int = Field(0, description="Old findings that went away.")


class ActionResult(Reading):
    """What to do next."""

    text: str
    points: float = Field(description="What the score would win.")
    finding: str = Field("", description="The identity of the finding it fixes.")
    path: str = ""
    line: int = Field(0, description="Zero-based.")
    must: bool = Field(False, description="Without it nothing is accepted, or only on conditions.")


class ThresholdsResult(Reading):
    """What the final gate compares with."""

    accept: float = Field(description="A score of at least this is accepted.")
    conditional: float = Field(description="A score of at least this is accepted on conditions.")
    evidence: float = Field(description="Less evidence than this is not enough to decide, 0-1.")
    floor_cap: float = Field(description="The highest score while a floor is broken.")
    integrity_cap: float = Field(description="The highest score while an integrity finding counts.")
    trajectory_drop: float = Field(
        10.0, description="A larger loss from early to middle is a negative trajectory."
    )
    trajectory_rise: float = Field(
        30.0, description="A larger gain from early to middle is excellent progress."
    )


class DecisionResult(Reading):
    """What the gate says, and why."""

    outcome: str
    status: str = Field(description="PASS, WARN or FAIL.")
    reasons: tuple[str, ...] = ()
    required_actions: tuple[ActionResult, ...] = ()


class FunctionResult(Reading):
    """A changed function's measures; null where it does not exist, or they are not known."""

    path: str
    symbol: str
    line: int = Field(description="Zero-based.")
    complexity_before: float | None
    complexity_after: float | None
    coverage_before: float | None = Field(
        None, description="Lines and branches of its body that tests execute at the base, 0-100."
    )
    coverage_after: float | None = Field(None, description="The same now.")


class FigureResult(Reading):
    """One number of the report; null where it is not known."""

    name: str
    unit: str = Field("", description="%, ms or MB; empty of a plain number.")
    value: float | None = None
    before: float | None = Field(None, description="The same at the base.")
    state: str = "measured"
    reason: str = Field("", description="Why there is none, or of which files not.")


class FileResult(Reading):
    """A changed file; null where there is no number."""

    path: str
    status: str = Field(description="added, modified, renamed or deleted.")
    skipped: str = Field("", description="Why it was not analysed; empty when it was.")
    lines_before: int | None = None
    lines_after: int | None = None
    maintainability_before: float | None = None
    maintainability_after: float | None = None


class TestRunResult(Reading):
    """Which tests spoke of the change, and why these; or why none did."""

    __test__ = False

    which: str = Field(description="affected, all or none.")
    run: int = Field(0, description="How many ran for this; what the others said before still holds.")
    total: int = Field(0, description="How many there are.")
    why: tuple[str, ...] = Field((), description="Why the affected ones were chosen, the commonest first.")
    note: str = Field("", description="Why not all ran, where that was wanted.")
    state: str = Field("measured", description="nothing to judge: there are no tests; else why none ran.")
    reason: str = Field("", description="Why tests did not run.")
    next_step: str = Field("", description="What makes them run: a command or a setting.")
    chosen: bool = Field(False, description="A person chose that they do not run.")
    python: str = Field("", description="The interpreter, from the root or the home folder.")
    python_why: str = Field("", description="Why that one, and what was passed over.")
    failing: int | None = Field(None, description="How many fail now; null where tests did not run.")


class RegressionResult(Reading):
    """A final score, or a measure of it, that is lower than those accepted last on the branch."""

    what: str = Field(description="score, or the dimension that fell.")
    before: float = Field(description="The mean of those accepted last.")
    now: float
    of: int = Field(description="How many are in the mean; the same content counts once.")
    most: str = Field("", description="The dimension that explains most of it.")


class TrajectoryResult(Reading):
    """How the score moved from the early to the middle checkpoint, over what was measured at both."""

    delta: float = Field(description="Points; below 0 it fell.")
    name: str = Field(description="negative trajectory, slight degradation, steady or excellent progress.")
    advice: tuple[str, ...] = Field(
        (), description="What to do; checkpoints that were only inferred never advise a rollback."
    )
    focus: str | None = Field(None, description="The weakest dimension, where it is to be worked on.")


class EvaluationResult(Reading):
    """All that is said of a change at one checkpoint. The same content gives the same, but for `timings`."""

    version: int = Field(1, description="Of this format; rises when a reader would have to change.")
    level: str = Field(description="early, middle or final.")
    progress: str = Field(description="How the checkpoint was known: said, counted or inferred.")
    base: str = Field(
        description="The commit it is measured against, or `session`; empty: nothing could be judged."
    )
    base_label: str = Field(description="How the base was found; empty where nothing could be judged.")
    score: ScoreResult
    decision: DecisionResult
    findings: tuple[FindingResult, ...] = ()
    suppressed: tuple[FindingResult, ...] = ()
    accepted: tuple[AcceptedResult, ...] = Field((), description="New findings that a person accepted.")
    suppressions_added: int = Field(0, description="Suppression comments that the change adds.")
    fixed: tuple[FindingResult, ...] = Field((), description="Findings of the base that went away.")
    files: tuple[FileResult, ...] = Field((), description="The changed Python files.")
    others: tuple[FileResult, ...] = Field((), description="The changed files that are no Python.")
    functions: tuple[FunctionResult, ...] = ()
    limits: tuple[str, ...] = Field((), description="What could not be judged, and why.")
    thresholds: ThresholdsResult | None = Field(None, description="What the final gate compares with.")
    tests: TestRunResult | None = Field(None, description="Null when tests were not requested.")
    regression: RegressionResult | None = Field(
        None, description="Null where no task is in progress, or nothing is worse than what was accepted."
    )
    trajectory: TrajectoryResult | None = Field(
        None, description="At middle, where there was an early checkpoint before; else null."
    )
    profile: str = Field("standard", description="plain: old findings count, too, and there are no floors.")
    measures: tuple[FigureResult, ...] = Field((), description="The numbers behind the dimensions.")
    timings: tuple[FigureResult, ...] = Field(
        (), description="What tests took: the only part that may vary between runs on the same content."
    )


class TotalsResult(Reading):
    """What a whole project comes to."""

    files: int = Field(description="Python files.")
    lines: int
    functions: int
    mean_complexity: float | None = Field(description="Of all functions; null where there are none.")
    worst_complexity: float | None
    findings: dict[str, int] = Field(description="How many, by dimension.")
    suppressed: int = Field(description="How many are suppressed by comments.")


class TrendResult(Reading):
    """A score of a change that is remembered of the branch."""

    timestamp: str = Field(description="UTC, ISO 8601.")
    level: str = Field(description="early, middle or final.")
    decision: str = Field(description="What the gate said.")
    score: float | None = Field(description="0-100; null when nothing could be measured.")


class EvaluateResult(EvaluationResult):
    """The evaluation of a change; of a project or a document only what was found: no score, no decision."""

    scope: str = Field("change", description="change, project or buffer: what this speaks of.")
    decision: DecisionResult | None = Field(  # type: ignore[assignment]
        description="Null for a project and a buffer: only a change is judged."
    )
    totals: TotalsResult | None = Field(None, description="Of a project.")
    trend: tuple[TrendResult, ...] = Field((), description="Of a project: its branch's scores, oldest first.")


class CurrentParams(Wire):
    """Whose evaluation."""

    uri: str | None = Field(None, description="Any URI in the folder, or null for the first folder.")


class CurrentResult(Wire):
    """What the status bar speaks of."""

    evaluation: EvaluationResult | None = Field(description="Null until the change was judged once.")
