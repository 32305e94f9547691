"""Which agent works next on which step of a task: a pure function of what was done so far.

A task is a list of steps, each done by an agent and looked at by a gate afterwards. What the gate says
decides: go on, try again with what was found, hand it to the repairs, put a step in, give up what was built
on it, or ask a person. Every way costs something that is counted, so that no task goes on for ever.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter

from gateline.refinement.verifier.values import GatePoint, Reason


class Action(StrEnum):
    """What is done next."""

    CONTINUE = "CONTINUE"
    """Run the steps that are ready; independent ones at the same time."""
    RETRY_WITH_FEEDBACK = "RETRY_WITH_FEEDBACK"
    """The same step again, with the reasons of its gate."""
    ROUTE_TO_DEBUG = "ROUTE_TO_DEBUG"
    """The same step again, by the agent that repairs."""
    ADD_STEP = "ADD_STEP"
    """A step in front of the one that lacks something."""
    TRUNCATE_FROM = "TRUNCATE_FROM"
    """Give up what the steps from an index on came to, and go on from there."""
    ACCEPT = "ACCEPT"
    ESCALATE = "ESCALATE"
    """A person decides; the whole state goes along."""


ENDS = frozenset({Action.ACCEPT, Action.ESCALATE})


@dataclass(frozen=True, slots=True)
class Agent:
    """Who can do what."""

    name: str
    phases: frozenset[GatePoint] = frozenset({GatePoint.IMPLEMENTATION})
    repairs: bool = False
    """It is asked where errors are to be repaired."""


@dataclass(frozen=True, slots=True)
class TaskStep:
    """One step of a task."""

    id: str
    phase: GatePoint
    needs: tuple[str, ...] = ()
    """The steps that must be sufficient before."""
    about: str = ""
    added: bool = False
    """By the router: dropped when what it was added for is given up."""
    agent: str = ""
    """Who is to do it; empty: whoever can."""
    paths: tuple[str, ...] = ()
    """The files that it is about."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A step as an agent left it, and what its gate says."""

    step: str
    agent: str
    sufficient: bool
    reasons: tuple[Reason, ...] = ()
    floors: tuple[str, ...] = ()
    quality: float | None = None
    """0-1, of a step that was scored."""
    superseded: bool = False
    """Given up: it counts against the bounds, and for nothing else."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of a task."""

    attempts: int = 40
    """Of all steps together."""
    tries: int = 3
    """Of one step, before what it builds on is given up."""
    debugs: int = 5
    """Attempts of the repairing agent at one step."""
    steps: int = 20
    truncations: int = 2
    parallel: int = 2
    """Steps that run at the same time."""
    accept: float = 0.85


@dataclass(frozen=True, slots=True)
class TaskState:
    """A task: its steps in their order, who can do them, and all attempts, oldest first."""

    steps: tuple[TaskStep, ...]
    agents: tuple[Agent, ...]
    attempts: tuple[Attempt, ...] = ()
    truncations: int = 0
    limits: Limits = Limits()

    def latest(self, step: str) -> Attempt | None:
        """The newest attempt at a step that was not given up."""
        found = (one for one in reversed(self.attempts) if one.step == step and not one.superseded)
        return next(found, None)

    def tried(self, step: str) -> tuple[Attempt, ...]:
        """The attempts at a step that were not given up, oldest first."""
        return tuple(one for one in self.attempts if one.step == step and not one.superseded)

    def is_done(self, step: str) -> bool:
        """Whether a step is sufficient, and breaks no floor."""
        found = self.latest(step)
        return found is not None and found.sufficient and not found.floors


@dataclass(frozen=True, slots=True)
class Assignment:
    """A step with who does it."""

    step: str
    agent: str


@dataclass(frozen=True, slots=True)
class Route:
    """What is done next, and why."""

    action: Action
    reason: str
    assignments: tuple[Assignment, ...] = ()
    """What runs; empty of an end, and of a change to the steps."""
    index: int = -1
    """Of TRUNCATE_FROM: the first step that is given up. Of ADD_STEP: where the new one goes."""
    step: TaskStep | None = None
    """Of ADD_STEP."""
    feedback: tuple[str, ...] = ()


_REPAIRABLE = frozenset(f"implementation.{check}" for check in ("tests", "floors", "verdict", "changed"))
_LACKING = frozenset({"implementation.complete", "plan.covers"})
_OF_PLAN = frozenset({"implementation.planned"})
UNDECIDED = "conflict.undecided"
"""The check of a reason that says that nothing tells two proposals apart."""


def route(state: TaskState) -> Route:
    """What is done next. The same state has the same route."""
    if why := _unorderable(state.steps):
        return Route(Action.ESCALATE, why)
    if len(state.attempts) >= state.limits.attempts:
        return _escalated(state, f"{state.limits.attempts} attempts are over")
    open_ = [
        step for step in state.steps if (found := state.latest(step.id)) and not state.is_done(found.step)
    ]
    if open_:
        return _insufficient(state, open_[0])
    ready = [step for step in state.steps if _is_ready(state, step)]
    if ready:
        return _run(state, ready)
    return _finished(state)


def applied(state: TaskState, found: Route) -> TaskState:
    """The state after a change to its steps; of every other route the same."""
    if found.action is Action.ADD_STEP and found.step is not None:
        return _with_step(state, found.index, found.step)
    if found.action is Action.TRUNCATE_FROM:
        return _truncated(state, found.index)
    return state


def recorded(state: TaskState, *attempts: Attempt) -> TaskState:
    """The state after attempts."""
    return replace(state, attempts=(*state.attempts, *attempts))


def feedback_of(state: TaskState, step: str) -> tuple[str, ...]:
    """What the gate found of a step, newest last, each once; also of what was given up."""
    told = (str(reason) for one in state.attempts if one.step == step for reason in one.reasons)
    return tuple(dict.fromkeys(told))


# What the gate's answer leads to


def _insufficient(state: TaskState, step: TaskStep) -> Route:
    """A step whose newest attempt is not sufficient."""
    last = state.latest(step.id)
    assert last is not None
    checks = {reason.check for reason in last.reasons}
    if UNDECIDED in checks:
        return _escalated(state, f"{step.id}: {_first(last)}")
    if _is_stuck_unmeasured(state, step):
        return _escalated(state, f"{step.id} cannot be measured: {_first(last)}")
    lacking = checks & _LACKING
    if lacking and checks <= _LACKING and (found := _added(state, step, last)) is not None:
        return found
    if _is_for_repairs(last, checks) and (found := _debugged(state, step)) is not None:
        return found
    agent = _agent(state, step)
    if len(_own(state, step)) < state.limits.tries and agent is not None:
        return _again(state, step, agent, Action.RETRY_WITH_FEEDBACK, _first(last))
    return _given_up(state, step, last, checks)


def _is_stuck_unmeasured(state: TaskState, step: TaskStep) -> bool:
    """Whether two attempts at a step could not be measured: another one will not be either."""
    tried = state.tried(step.id)[-2:]
    return len(tried) > 1 and all(any(r.unmeasured for r in one.reasons) for one in tried)


def _is_for_repairs(last: Attempt, checks: set[str]) -> bool:
    """Whether what is wrong is an error: what games the gate is not repaired but taken back."""
    return bool(checks & _REPAIRABLE or last.floors) and "implementation.integrity" not in checks


def _debugged(state: TaskState, step: TaskStep) -> Route | None:
    repairer = next((agent for agent in state.agents if agent.repairs), None)
    if repairer is None:
        return None
    tried = [one for one in state.tried(step.id) if one.agent == repairer.name]
    if len(tried) >= state.limits.debugs or _is_fruitless(tried):
        return None
    last = state.latest(step.id)
    assert last is not None
    return _again(state, step, repairer.name, Action.ROUTE_TO_DEBUG, _first(last))


def _is_fruitless(tried: Sequence[Attempt]) -> bool:
    """Whether the last two attempts of the repairs ended in the same: another one will, too."""
    return len(tried) > 1 and _print(tried[-1]) == _print(tried[-2])


def _added(state: TaskState, step: TaskStep, last: Attempt) -> Route | None:
    """A step for what is lacking; None where there may be no more, or one was added for it."""
    if len(state.steps) >= state.limits.steps or any(s.added and s.id in step.needs for s in state.steps):
        return None
    known = {one.id for one in state.steps}
    name = next(n for n in (f"{step.id}+{k}" for k in range(1, len(known) + 2)) if n not in known)
    about = "; ".join(reason.text for reason in last.reasons)
    index = next(n for n, one in enumerate(state.steps) if one.id == step.id)
    needs = _settled(state, step)
    made = TaskStep(name, GatePoint.IMPLEMENTATION, needs, about, added=True, agent=step.agent)
    return Route(Action.ADD_STEP, f"{step.id} lacks something: {about}", index=index, step=made)


def _settled(state: TaskState, step: TaskStep) -> tuple[str, ...]:
    return tuple(need for need in step.needs if state.is_done(need))


def _given_up(state: TaskState, step: TaskStep, last: Attempt, checks: set[str]) -> Route:
    """A step that does not become sufficient: what it builds on was wrong, or nobody can do it."""
    if state.truncations >= state.limits.truncations:
        return _escalated(state, f"{step.id} is not sufficient: {_first(last)}")
    index = _origin(state, step, checks)
    told = f"{step.id} did not become sufficient in {len(state.tried(step.id))} attempts"
    return Route(
        Action.TRUNCATE_FROM,
        f"{told}: begin again from {state.steps[index].id}",
        index=index,
        feedback=feedback_of(state, step.id),
    )


def _origin(state: TaskState, step: TaskStep, checks: set[str]) -> int:
    """The index of the step to begin again from: the plan where it was not kept, else what it needs."""
    places = {one.id: n for n, one in enumerate(state.steps)}
    plans = [n for n, one in enumerate(state.steps[: places[step.id]]) if one.phase is GatePoint.PLAN]
    if checks & _OF_PLAN and plans:
        return plans[-1]
    return min([places[need] for need in step.needs] or [places[step.id]])


def _again(state: TaskState, step: TaskStep, agent: str, action: Action, why: str) -> Route:
    told = f"{step.id} is not sufficient: {why}"
    return Route(action, told, (Assignment(step.id, agent),), feedback=feedback_of(state, step.id))


# Steps that are ready, and the end


def _is_ready(state: TaskState, step: TaskStep) -> bool:
    return state.latest(step.id) is None and all(map(state.is_done, step.needs))


def _run(state: TaskState, ready: Sequence[TaskStep]) -> Route:
    room = min(state.limits.parallel, state.limits.attempts - len(state.attempts))
    chosen = [(step, _agent(state, step)) for step in ready[:room]]
    missing = [step for step, agent in chosen if agent is None]
    if missing:
        return _escalated(state, f"no agent does {missing[0].phase} for {missing[0].id}: name one")
    found = tuple(Assignment(step.id, agent) for step, agent in chosen if agent is not None)
    told = ", ".join(one.step for one in found)
    feedback = tuple(dict.fromkeys(t for one in found for t in feedback_of(state, one.step)))
    return Route(Action.CONTINUE, f"ready: {told}", found, feedback=feedback)


def _finished(state: TaskState) -> Route:
    """Every step is sufficient: accepted, unless the last score is too low or there is none."""
    scored = [found.quality for step in state.steps if (found := state.latest(step.id))]
    known = [quality for quality in scored if quality is not None]
    if not known:
        return _escalated(state, "nothing was scored: nobody knows how good it is")
    if min(known) < state.limits.accept:
        return _escalated(state, f"quality {min(known):.2f} is below {state.limits.accept:.2f}")
    return Route(Action.ACCEPT, f"all {len(state.steps)} steps are sufficient, quality {min(known):.2f}")


def _agent(state: TaskState, step: TaskStep) -> str | None:
    """Who does a step: whom it names, or the one that failed at it least often; of equal ones the first."""
    if step.agent in {agent.name for agent in state.agents}:
        return step.agent
    able = [agent for agent in state.agents if step.phase in agent.phases and not agent.repairs]
    able = able or [agent for agent in state.agents if step.phase in agent.phases]
    failed = [one.agent for one in state.attempts if one.step == step.id and not one.sufficient]
    return min(able, key=lambda agent: failed.count(agent.name)).name if able else None


def _own(state: TaskState, step: TaskStep) -> list[Attempt]:
    """The attempts at a step, without those of the repairs."""
    repairers = {agent.name for agent in state.agents if agent.repairs}
    return [one for one in state.tried(step.id) if one.agent not in repairers]


def _escalated(state: TaskState, why: str) -> Route:
    last = state.attempts[-1] if state.attempts else None
    return Route(Action.ESCALATE, why, feedback=feedback_of(state, last.step) if last else ())


def _first(attempt: Attempt) -> str:
    told = [str(reason) for reason in attempt.reasons] or [f"a floor is broken: {f}" for f in attempt.floors]
    return told[0] if told else "its gate gave no reason"


def _print(attempt: Attempt) -> tuple[object, ...]:
    return attempt.reasons, attempt.floors


def _unorderable(steps: Sequence[TaskStep]) -> str:
    """Why steps have no order; empty when they have one."""
    known = {step.id for step in steps}
    if not steps or len(known) < len(steps):
        return "there are no steps" if not steps else "two steps have the same name"
    for step in steps:
        if missing := sorted(set(step.needs) - known):
            return f"{step.id} needs {missing[0]}, which is no step"
    try:
        TopologicalSorter(_needs(steps)).prepare()
    except CycleError as error:
        return f"steps wait for each other: {' → '.join(error.args[1])}"
    return ""


def _needs(steps: Sequence[TaskStep]) -> Mapping[str, tuple[str, ...]]:
    return {step.id: step.needs for step in steps}


# Changes of the steps


def _with_step(state: TaskState, index: int, step: TaskStep) -> TaskState:
    """With a step before the one at `index`, which waits for it and is done again after it."""
    after = state.steps[index]
    waiting = replace(after, needs=(*after.needs, step.id))
    steps = (*state.steps[:index], step, waiting, *state.steps[index + 1 :])
    return replace(state, steps=steps, attempts=_superseded(state.attempts, {after.id}))


def _truncated(state: TaskState, index: int) -> TaskState:
    """Without what the steps from `index` on came to, and without those that were added to them.

    What came after the first attempt at one of them was built on its content, and is given up, too.
    """
    gone = {step.id for step in state.steps[index:]}
    dropped = {step.id for step in state.steps[index:] if step.added}
    kept = (step for step in state.steps if step.id not in dropped)
    steps = tuple(replace(s, needs=tuple(n for n in s.needs if n not in dropped)) for s in kept)
    first = first_of(state, gone)
    later = {one.step for one in state.attempts[first:]}
    attempts = (*state.attempts[:first], *_superseded(state.attempts[first:], later))
    return replace(state, steps=steps, attempts=attempts, truncations=state.truncations + 1)


def first_of(state: TaskState, steps: Collection[str]) -> int:
    """The place of the first attempt at one of these steps that was not given up; behind all: none."""
    found = (n for n, one in enumerate(state.attempts) if one.step in steps and not one.superseded)
    return next(found, len(state.attempts))


def _superseded(attempts: Sequence[Attempt], steps: set[str]) -> tuple[Attempt, ...]:
    return tuple(replace(one, superseded=True) if one.step in steps else one for one in attempts)
