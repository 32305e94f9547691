"""How tasks went, in numbers: of one task what was recorded, of many what follows, beside a baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import fmean, median
from types import MappingProxyType
from typing import Protocol

from gateline.refinement.course import result_of
from gateline.refinement.policy import best_of, quality_of
from gateline.refinement.state import Kind, LoopState, Verdict

WINDOW = 10
"""Completion over time is that of so many tasks together."""
LOOP, TASK = "loop", "task"
_REPAIRS = "autodebug"
_EARLY = frozenset({Kind.EARLY_STOP, Kind.FAST_FAIL, Kind.NO_PROGRESS})
_GIVEN_UP = frozenset({Kind.BOUND, Kind.BUDGET, Kind.ESCALATE, Kind.NO_PROGRESS, Kind.FAST_FAIL})
_ACCEPTED = frozenset({"accept", "conditional-accept"})
_CONTEXT = "context"


class Happened(Protocol):
    """An event of a task, as the worklog records it."""

    @property
    def at(self) -> datetime:
        """When, with a time zone."""
        ...

    @property
    def kind(self) -> str:
        """What happened."""
        ...

    @property
    def detail(self) -> Mapping[str, object]:
        """What belongs to the kind."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What was asked of the retrieval for a task."""

    queries: int = 0
    milliseconds: float | None = None
    """Of an answer on average; None where nobody took the time."""
    relevance: float | None = None
    """The share of answers with a passage of a file that the task changed, 0-1; None: none was recorded."""


@dataclass(frozen=True, slots=True)
class TaskMetrics:
    """One task, or one loop, in numbers."""

    id: str
    kind: str
    """`loop` or `task`."""
    begun: str
    """UTC, ISO 8601."""
    outcome: str
    """How a loop ended, or what became of a task."""
    completed: bool
    """The final gate accepted it."""
    seconds: float | None = None
    rounds: int = 0
    scores: tuple[float, ...] = ()
    """Of a loop the quality after each round, 0-1; of a task the score of each checkpoint, 0-1."""
    early_stop: str = ""
    """Why it ended before its bound without being accepted; empty: it did not."""
    errors_met: int = 0
    errors_resolved: int = 0
    """Of those met, without a person."""
    debug_iterations: int = 0
    """Rounds of the repairs."""
    first_time: bool | None = None
    """Accepted at the first look; None: there was none."""
    intervened: bool = False
    """A person took over, or stopped it."""
    escalated: bool = False
    """It was given to a person: no way was left, or a bound was reached."""
    context: Context = field(default_factory=Context)


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from many tasks; None where there is nothing to take it from."""

    tasks: int
    completion: float | None
    """Completed of all, 0-1."""
    rounds: float | None
    """On average, of loops."""
    debug_success: float | None
    """Errors resolved of those met, 0-1, where repairs took part."""
    context_milliseconds: float | None
    relevance: float | None
    first_time: float | None
    """Accepted at the first look, 0-1."""
    seconds: float | None
    """The median."""
    intervened: float | None
    escalated: float | None
    early_stops: float | None


@dataclass(frozen=True, slots=True)
class Baseline:
    """What completion is compared with: another way of doing the same tasks."""

    name: str
    completed: int
    tasks: int
    at: str = ""

    @property
    def completion(self) -> float:
        """0-1."""
        return self.completed / self.tasks if self.tasks else 0.0


AIMS: Mapping[str, tuple[str, float]] = MappingProxyType(
    {
        "factor": (">=", 3.5),
        "rounds": ("<", 5.0),
        "debug_success": (">", 0.7),
        "context_milliseconds": ("<", 2000.0),
        "first_time": (">", 0.9),
    }
)
"""By figure: how it is compared, and with what (specification, section 8)."""


def of_loop(state: LoopState) -> TaskMetrics:
    """A loop in numbers, also one that goes on."""
    ended = state.ended
    seen = [verdict for verdict in (state.start, *(done.verdict for done in state.rounds)) if verdict]
    met = {key for verdict in seen for key in verdict.print}
    left = _final(state)
    resolved = met - set(left.print) if left else set()
    kind = ended.kind if ended else None
    first = state.rounds[0].verdict if state.rounds else None
    return TaskMetrics(
        state.id,
        LOOP,
        state.begun,
        str(kind) if kind else "in progress",
        kind is Kind.ACCEPT,
        round(sum(done.seconds for done in state.rounds), 1),
        len(state.rounds),
        tuple(round(quality_of(done.verdict, state.total), 4) for done in state.rounds),
        ended.reason if ended and ended.kind in _EARLY else "",
        len(met),
        len(resolved),
        sum(done.way.agent == _REPAIRS for done in state.rounds),
        first.outcome in _ACCEPTED and first.is_clean if first else None,
        kind is Kind.CANCELLED,
        kind in _GIVEN_UP,
    )


def _final(state: LoopState) -> Verdict | None:
    """The verdict of the best content."""
    tree = result_of(state) if state.steps else best_of(state)[0]
    found = [done.verdict for done in state.rounds if done.tree == tree]
    return found[-1] if found else state.start


def of_task(
    name: str, begun: datetime, ended: datetime | None, outcome: str, events: Sequence[Happened]
) -> TaskMetrics:
    """A task in numbers, from its recorded events."""
    checkpoints = [event.detail for event in events if event.kind == "checkpoint"]
    final = [detail for detail in checkpoints if detail.get("level") == "final"]
    scores = [score for detail in checkpoints if isinstance(score := detail.get("score"), int | float)]
    failing = [_texts(event.detail.get("failing")) for event in events if event.kind == "tests"]
    met = {test for names in failing for test in names}
    accepted = [detail.get("outcome") in _ACCEPTED for detail in final]
    return TaskMetrics(
        name,
        TASK,
        begun.isoformat(),
        outcome,
        outcome == "completed" and bool(accepted) and accepted[-1],
        round((ended - begun).total_seconds(), 1) if ended else None,
        len(checkpoints),
        tuple(round(score / 100, 4) for score in scores),
        errors_met=len(met),
        errors_resolved=len(met - set(failing[-1])) if failing else 0,
        first_time=accepted[0] if accepted else None,
        escalated=outcome == "abandoned",
        context=_context(events),
    )


def _context(events: Sequence[Happened]) -> Context:
    asked = [e for e in events if e.kind == "handed" and e.detail.get("operation") == _CONTEXT]
    times = [ms for e in asked if isinstance(ms := e.detail.get("milliseconds"), int | float)]
    changed = {path for e in events if e.kind in ("edited", "saved", "external_edit") for path in _path(e)}
    shown = [_texts(e.detail.get("paths")) for e in asked]
    told = [bool(changed & set(paths)) for paths in shown if paths]
    return Context(len(asked), _mean(times), _share(told) if changed else None)


def _path(event: Happened) -> tuple[str, ...]:
    return _texts([event.detail.get("path")])


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list | tuple) else ()


# Of many


def derived(found: Iterable[TaskMetrics]) -> Derived:
    """What follows from tasks that have ended."""
    tasks = ended_tasks(found)
    loops = [one for one in tasks if one.kind == LOOP]
    repaired = [one for one in tasks if one.debug_iterations and one.errors_met]
    met = sum(one.errors_met for one in repaired)
    asked = [one.context for one in tasks if one.context.queries]
    times = [(c.milliseconds, c.queries) for c in asked if c.milliseconds is not None]
    relevant = [c.relevance for c in asked if c.relevance is not None]
    return Derived(
        len(tasks),
        _share([one.completed for one in tasks]),
        _mean([one.rounds for one in loops]),
        sum(one.errors_resolved for one in repaired) / met if met else None,
        fmean([ms for ms, _ in times], [n for _, n in times]) if times else None,
        _mean(relevant),
        _share([one.first_time for one in tasks if one.first_time is not None]),
        _median([one.seconds for one in tasks if one.seconds is not None]),
        _share([one.intervened for one in tasks]),
        _share([one.escalated for one in tasks]),
        _share([bool(one.early_stop) for one in loops]),
    )


def ended_tasks(found: Iterable[TaskMetrics]) -> list[TaskMetrics]:
    """Tasks that have ended, oldest first."""
    done = (one for one in found if one.outcome not in ("in progress", "in_progress"))
    return sorted(done, key=lambda one: (one.begun, one.id))


def completion(tasks: Sequence[TaskMetrics], window: int = WINDOW) -> list[float]:
    """For each of some tasks, oldest first, which share of it and the ones before is completed, 0-1.

    At most `window` of them together.
    """
    done = [one.completed for one in tasks]
    return [fmean(done[max(0, n + 1 - window) : n + 1]) for n in range(len(done))]


def factor(now: Derived, baseline: Baseline | None) -> float | None:
    """How many times as many tasks are completed as with the baseline; None where that says nothing."""
    if baseline is None or now.completion is None or not baseline.completed:
        return None
    return now.completion / baseline.completion


def reached(name: str, value: float | None) -> bool | None:
    """Whether a figure reaches its aim; None of one without a value or an aim."""
    if value is None or name not in AIMS:
        return None
    how, aim = AIMS[name]
    return {">=": value >= aim, ">": value > aim, "<": value < aim}[how]


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None
