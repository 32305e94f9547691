"""The state of a refinement loop: all that was found so far. What to do next follows from it alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from gateline.refinement.router import TaskStep
from gateline.refinement.verifier.values import Reason

VERSION = 2
"""2: a loop may follow a plan."""
FLOOR_CAP = 0.59
"""The highest quality while a floor is broken."""
OPEN_CAP = 0.84
"""The highest quality while a test fails that the goal wants to pass, or while the gate is gamed: below what
is accepted."""


AUTODEBUG, REVIEW = "autodebug", "review"
"""Agents that are built in."""


class Kind(StrEnum):
    """What a loop does next."""

    VERIFY = "verify"
    """Look at the content that it starts with."""
    RUN = "run"
    """Another round."""
    ACCEPT = "accept"
    EARLY_STOP = "early-stop"
    """The smoothed quality is high, and more is not asked for."""
    FAST_FAIL = "fast-fail"
    NO_PROGRESS = "no-progress"
    BOUND = "bound"
    BUDGET = "budget"
    UNDECIDED = "undecided"
    """All tests pass and nothing is wrong that was measured, but something could not be measured."""
    ESCALATE = "escalate"
    """A person decides: a step does not become sufficient, or nothing tells two proposals apart."""
    CANCELLED = "cancelled"


ENDS = frozenset(Kind) - {Kind.VERIFY, Kind.RUN}


@dataclass(frozen=True, slots=True)
class Failing:
    """A test that fails, and why."""

    test: str
    """pytest's node identifier; the file alone where it could not be collected."""
    error: str = ""
    """The type of the exception and the first line of its message."""
    place: str = ""
    """`path:line`, where it was raised."""
    excused: str = ""
    """Why it counts neither for nor against the work: it lacks something where it runs. Empty: it counts."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What gateline's own check says of the content that a round left."""

    outcome: str
    """Of the final gate, as `accept`."""
    score: float | None
    """0-100; None where nothing was measured."""
    passed: int = 0
    """Tests that pass; all tests of the project run."""
    failing: tuple[Failing, ...] = ()
    floors: tuple[str, ...] = ()
    integrity: tuple[str, ...] = ()
    """Findings that say that the gate is being gamed: with one nothing is accepted."""
    values: tuple[tuple[str, float], ...] = ()
    """The dimensions that were measured, 0-100, with their values."""
    checkpoint: str = ""
    """`early`, `middle` or `final`, where the round is one; else empty."""
    decision: str = ""
    """What the gate says at the checkpoint."""
    trajectory: str = ""
    """At middle: `negative trajectory`, `slight degradation`, `excellent progress` or `steady`."""
    delta: float = 0.0
    """Points from early to middle."""
    advice: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    """The decision's reasons and required actions, for the next round and for people."""
    unchanged: bool = False
    """Nothing differs from the base."""

    @property
    def open(self) -> tuple[Failing, ...]:
        """The failing tests that count."""
        return tuple(one for one in self.failing if not one.excused)

    @property
    def total(self) -> int:
        """How many tests there are that count."""
        return self.passed + len(self.open)

    @property
    def print(self) -> tuple[tuple[str, str], ...]:
        """What fails, and with which error: two rounds with the same print came equally far."""
        return tuple(sorted((one.test, one.error) for one in self.open))

    @property
    def is_clean(self) -> bool:
        """Whether no floor is broken, nothing is gamed and no test fails that counts."""
        return not (self.floors or self.integrity or self.open)


@dataclass(frozen=True, slots=True)
class Way:
    """Who works, and how."""

    agent: str
    """`autodebug`, `review`, or a command as it was given."""
    strategy: str = ""


@dataclass(frozen=True, slots=True)
class Merge:
    """The work of one step beside that of others that were done at the same time."""

    others: tuple[str, ...]
    """The steps whose work is there already."""
    paths: tuple[str, ...] = ()
    """The files in which both change the same lines; empty: they fit together."""
    winner: str = ""
    """The step whose work is taken; empty: both, or a person decides."""
    reason: str = ""
    """Why, where they conflict."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: what an agent did from which content, and what the check says of it."""

    number: int
    """From 1."""
    way: Way
    start: str
    """The tree that it began from."""
    tree: str
    """The tree that it left."""
    verdict: Verdict
    changed: tuple[str, ...] = ()
    """The paths that it changed."""
    success: bool = False
    """What the agent says; never a verdict."""
    confidence: float = 0.0
    reasoning: str = ""
    trouble: str = ""
    """What went wrong with the agent: it crashed, took too long, answered no JSON. Empty: nothing."""
    seconds: float = 0.0
    tokens: int = 0
    cost: float = 0.0
    step: str = ""
    """The step of the plan that it is of; empty without a plan."""
    sufficient: bool = False
    """What the step's gate says; without a plan there is none."""
    reasons: tuple[Reason, ...] = ()
    """Why it is not."""
    merge: Merge | None = None
    """Nobody worked: the work of the step was merged."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The constants of a loop."""

    rounds: int = 20
    alpha: float = 0.3
    """Weight of the newest quality in the smoothed one."""
    stop: float = 0.95
    accept: float = 0.85
    failing: float = 0.10
    """A larger share of failing tests, also old ones, at the middle checkpoint wants another strategy."""
    target: float = 0.60
    """A lower quality at the middle checkpoint is below the target."""
    drop: float = 0.10
    """A round that loses more is gone back behind."""
    seconds: float | None = None
    """Of all rounds together; None: no limit."""
    tokens: int | None = None
    cost: float | None = None
    checkpoints: bool = True
    """Whether the decisions of checkpoints are carried out."""
    adjust: bool = True
    """Whether what degrades is gone back behind, and another way tried."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a loop does next, and why."""

    kind: Kind
    reason: str
    way: Way | None = None
    """Of another round."""
    tree: str = ""
    """Of another round: the content that it begins from. Of an end: the best content."""
    restored: bool = False
    """Whether that is not what the last round left."""

    @property
    def is_end(self) -> bool:
        """Whether there is no other round."""
        return self.kind in ENDS


@dataclass(frozen=True, slots=True)
class LoopState:
    """A loop: its goal, its ways, and all rounds."""

    id: str
    goal: str
    ways: tuple[Way, ...]
    """In the order in which they are tried."""
    base: str
    """The commit that changes are measured against, fixed when the loop begins."""
    tree: str
    """The content that the loop begins with."""
    rules: Rules = Rules()
    start: Verdict | None = None
    """Of the content that it begins with; None: not looked at yet."""
    rounds: tuple[Round, ...] = ()
    ended: Step | None = None
    begun: str = ""
    """When, in UTC, ISO 8601."""
    steps: tuple[TaskStep, ...] = ()
    """Of the plan that it follows; empty: there is none."""
    plan: str = ""
    """The file of the plan."""
    troubles: tuple[str, ...] = ()
    """What it had to do without, as lessons that could not be read; its result does not depend on it."""
    due: bool = False
    """It has ended, and what it fixed is still to be noted."""
    version: int = VERSION

    @property
    def latest(self) -> Verdict | None:
        """The newest verdict."""
        return self.rounds[-1].verdict if self.rounds else self.start

    @property
    def now(self) -> str:
        """The tree that the last round left."""
        return self.rounds[-1].tree if self.rounds else self.tree

    @property
    def total(self) -> int:
        """The most tests that were ever seen: what cannot be collected hides how many there are."""
        known = [one for one in (self.start, *(done.verdict for done in self.rounds)) if one is not None]
        return max((one.total for one in known), default=0)


def plain(value: LoopState | Round) -> dict[str, Any]:
    """A state, or a round, of values that JSON has."""
    return asdict(value)


def loaded_steps(data: list[Any]) -> tuple[TaskStep, ...]:
    """The steps of a plan, of what JSON has of them. Raises ValueError for what are none."""
    from pydantic import TypeAdapter  # late: the core is imported by servers, too

    return TypeAdapter(tuple[TaskStep, ...]).validate_python(data)


def loaded(data: dict[str, Any]) -> LoopState:
    """The state of what `plain` made, also after JSON. Raises ValueError for what is none."""
    from pydantic import TypeAdapter  # late: the core is imported by servers, too

    if data.get("version", VERSION) > VERSION:
        raise ValueError(f"the loop was stored by a newer gateline (version {data['version']})")
    return TypeAdapter(LoopState).validate_python(data)
