"""What a checkpoint says: score with its breakdown, and decision with its reasons."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateline.model.endings import Endings
from gateline.model.finding import Dimension, Finding
from gateline.model.level import Level, Progress
from gateline.model.measure import State
from gateline.model.policy import Profile
from gateline.model.waiver import Accepted


class Outcome(StrEnum):
    """What a gate says."""

    CONTINUE = "continue"
    FAST_FAIL = "fast-fail"
    WARN_QUALITY_TREND = "warn-quality-trend"
    ADJUST_STRATEGY = "adjust-strategy"
    WARN_BELOW_TARGET = "warn-below-target"
    ACCEPT = "accept"
    CONDITIONAL_ACCEPT = "conditional-accept"
    REQUIRE_ITERATION = "require-iteration"
    UNDECIDED = "undecided"


class Status(StrEnum):
    """An outcome in one word, for loops and CI."""

    PASS = "PASS"
    WARN = "WARN"
    FAIL = "FAIL"


@dataclass(frozen=True, slots=True)
class SourceState:
    """Whether one source of a dimension answered: the parser, the type checker or the tests, of errors."""

    name: str
    """`parser`, `types` or `tests`."""
    state: State
    reason: str = ""
    """Why it did not answer; empty when it did."""


@dataclass(frozen=True, slots=True)
class Part:
    """One dimension's part of the score."""

    dimension: Dimension
    state: State
    reason: str = ""
    """Why it is not measured; of a measured one, in which files it is not."""
    value: float | None = None
    """0–100; None unless measured."""
    weight: float = 0.0
    """Its share among the measured dimensions; 0 unless it takes part."""
    points: float = 0.0
    """What it adds to the score; the points of all parts add up to `Score.raw` exactly."""
    before: float | None = None
    """The same value at the base, where there is one."""
    detail: str = ""
    """The numbers behind it, for people: `2 new findings`."""
    sources: tuple[SourceState, ...] = ()
    """Where a dimension has several, each of them: its share of the evidence is that of those that answered
    among those that are due. One with nothing to judge is not due."""


@dataclass(frozen=True, slots=True)
class Score:
    """0–100, or None when nothing could be measured."""

    value: float | None
    """The score after caps: at most `floor_cap` while a floor is broken, and at most `integrity_cap` while an
    integrity finding counts."""
    raw: float | None
    evidence: float
    """Weight measured ÷ (weight measured + no data + stale + failed), 0–1."""
    parts: tuple[Part, ...] = ()
    floors: tuple[str, ...] = ()
    """The broken floors, which cap the score; empty when none is."""
    caps: tuple[str, ...] = ()
    """The integrity findings that count and are no floor: they cap the score, too."""
    credit: int = 0
    """Old findings that went away; shown beside the score, never in it."""


@dataclass(frozen=True, slots=True)
class Action:
    """What to do next."""

    text: str
    points: float
    """What the score would win."""
    finding: str = ""
    """The identity of the finding it fixes, when it is one."""
    path: str = ""
    line: int = 0
    must: bool = False
    """Without it nothing is accepted, or only on conditions: a floor, an integrity finding, a measurement
    that is missing."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What the final gate compares with; from the settings of the base."""

    accept: float
    """A score of at least this is accepted."""
    conditional: float
    """A score of at least this is accepted on conditions."""
    evidence: float
    """Less evidence than this is not enough to decide, 0–1."""
    floor_cap: float = 59.0
    """The highest score while a floor is broken."""
    integrity_cap: float = 84.0
    """The highest score while an integrity finding counts that is no floor."""
    trajectory_drop: float = 10.0
    """A larger loss of points from early to middle is a negative trajectory."""
    trajectory_rise: float = 30.0
    """A larger gain of points from early to middle is excellent progress."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the gate says, and why."""

    outcome: Outcome
    status: Status
    reasons: tuple[str, ...] = ()
    required_actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a report, now and at the base; None: not known, or there is none."""

    name: str
    """`complexity_mean`, `complexity_worst`, `documentation`, `duplicated_lines`, `secret_risk`, `coverage`,
    `base_coverage`; of timings `test_latency` and `peak_memory`."""
    unit: str
    """`%`, `ms` or `MB`; empty of a plain number."""
    value: float | None = None
    before: float | None = None
    state: State = State.MEASURED
    reason: str = ""
    """Why there is none, or of which files not."""


@dataclass(frozen=True, slots=True)
class FunctionChange:
    """A function's measures in the base and now; None where it does not exist."""

    path: str
    symbol: str
    line: int
    complexity_before: float | None
    complexity_after: float | None
    coverage_before: float | None = None
    """The share of the lines and branches of its body that tests execute, 0–100; None: not known."""
    coverage_after: float | None = None


@dataclass(frozen=True, slots=True)
class FileSummary:
    """A changed file's measures in the base and now; None where there is none."""

    path: str
    status: str
    skipped: str = ""
    lines_before: int | None = None
    lines_after: int | None = None
    maintainability_before: float | None = None
    maintainability_after: float | None = None


@dataclass(frozen=True, slots=True)
class TestRun:
    """Which tests spoke of the change, and why these."""

    __test__ = False

    which: str
    """`affected`, `all` or `none`."""
    run: int = 0
    """How many ran for this; what the others said before still holds."""
    total: int = 0
    """How many there are."""
    why: tuple[str, ...] = ()
    """Why the affected ones were chosen, the commonest reason first: `9 execute total in cart.py`."""
    note: str = ""
    """Why not all ran, where that was wanted; empty when nothing is to be said."""
    state: State = State.MEASURED
    """`nothing to judge`: the project has no tests. `no data`, `stale` or `failed`: they are due and did not
    run."""
    reason: str = ""
    """Why tests did not run: names the interpreter, file or setting; empty when they did."""
    next_step: str = ""
    """What makes them run: a command or setting; empty when nothing is to be done."""
    chosen: bool = False
    """A person chose that they do not run: `--tests none`, or a setting."""
    python: str = ""
    """The interpreter they run with, as seen from the root or the home folder."""
    python_why: str = ""
    """Why that one, and what was passed over."""
    failing: int | None = None
    """How many fail, without those that failed at the base; None where tests did not run."""
    latency: float | None = None
    """Milliseconds that a test that ran for this took, on average; it varies from run to run."""
    peak_memory: float | None = None
    """Megabytes of the test that took most."""
    endings: Endings | None = None
    """None where tests did not run."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All findings of a change at one checkpoint, with score and decision."""

    level: Level
    progress: Progress
    base: str
    base_label: str
    score: Score
    decision: Decision
    findings: tuple[Finding, ...] = ()
    """New and old, sorted; suppressed ones are left out."""
    suppressed: tuple[Finding, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    """What a person let pass that is new: it neither counts nor stops the change."""
    suppressions_added: int = 0
    """How many suppression comments the change adds."""
    fixed: tuple[Finding, ...] = ()
    """Findings of the base that went away."""
    files: tuple[FileSummary, ...] = ()
    """The changed Python files."""
    others: tuple[FileSummary, ...] = ()
    """The changed files that are no Python."""
    functions: tuple[FunctionChange, ...] = ()
    limits: tuple[str, ...] = ()
    """What could not be judged, and why."""
    actions: tuple[Action, ...] = ()
    """Every step that fixes something that counts, most points to win first; the decision requires some."""
    thresholds: Thresholds | None = None
    tests: TestRun | None = None
    """Which tests spoke of the change, or why none did; None: tests were not looked for."""
    measures: tuple[Figure, ...] = ()
    """The numbers behind the dimensions."""
    timings: tuple[Figure, ...] = ()
    """What tests took. Nothing else in an evaluation varies between two runs on the same content."""

    content: str = ""
    """Names the texts that were judged, of both sides: the same for the same content."""
    profile: Profile = Profile.STANDARD
    """`plain`: old findings count, too."""

    @property
    def changed(self) -> bool:
        """Whether anything differs from the base, Python or not."""
        return bool(self.files or self.others)


@dataclass(frozen=True, slots=True)
class Trajectory:
    """How the score moved from early to middle, over the dimensions measured at both."""

    delta: float
    """Points; below 0 it fell."""
    name: str
    """`negative trajectory`, `slight degradation`, `excellent progress` or `steady`."""
    advice: tuple[str, ...] = ()
    """The names of the actions; empty where nothing is advised."""
    focus: Dimension | None = None
    """The weakest dimension, where it is advised to work on that."""

    def __str__(self) -> str:
        moved = "lost" if self.delta < 0 else "gained"
        told = f"{self.name}: {abs(self.delta):g} points {moved} from early to middle"
        return f"{told}; {self.next_step} ({', '.join(self.advice)})" if self.advice else told

    @property
    def next_step(self) -> str:
        """What is advised, in words; empty where nothing is."""
        if not self.advice:
            return ""
        if self.focus is not None:
            return f"focus on the weakest dimension, {self.focus}"
        return "roll back to the last good savepoint" if self.delta < 0 else "continue at a faster pace"
