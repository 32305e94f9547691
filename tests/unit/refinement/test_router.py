"""The router: which step and agent is next, and that no task goes on for ever."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.refinement.router import (
    ENDS,
    Action,
    Agent,
    Attempt,
    Limits,
    Route,
    TaskState,
    TaskStep,
    applied,
    recorded,
    route,
)
from gateline.refinement.verifier.values import GatePoint, Reason

WRITER = Agent("writer", frozenset(GatePoint))
OTHER = Agent("other")
REPAIRER = Agent("autodebug", repairs=True)
AGENTS = (WRITER, OTHER, REPAIRER)
STEPS = (
    TaskStep("spec", GatePoint.SPECIFICATION),
    TaskStep("plan", GatePoint.PLAN, ("spec",)),
    TaskStep("prices", GatePoint.IMPLEMENTATION, ("plan",)),
    TaskStep("orders", GatePoint.IMPLEMENTATION, ("plan",)),
    TaskStep("commit", GatePoint.COMMIT, ("prices", "orders")),
)
START = TaskState(STEPS, AGENTS)


def good(step: str, agent: str = "writer", quality: float | None = 0.9) -> Attempt:
    return Attempt(step, agent, sufficient=True, quality=quality)


def bad(step: str, check: str, agent: str = "writer", *, unmeasured: bool = False) -> Attempt:
    reason = Reason(check, "why", unmeasured=unmeasured)
    return Attempt(step, agent, sufficient=False, reasons=(reason,), quality=0.4)


PLANNED = recorded(START, good("spec", quality=None), good("plan", quality=None))


def assigned(found: Route) -> list[tuple[str, str]]:
    return [(one.step, one.agent) for one in found.assignments]


def test_steps_run_in_the_order_of_their_needs_and_independent_ones_together() -> None:
    assert assigned(route(START)) == [("spec", "writer")]
    assert assigned(route(PLANNED)) == [("prices", "writer"), ("orders", "writer")]
    assert assigned(route(recorded(PLANNED, good("prices")))) == [("orders", "writer")]
    done = recorded(PLANNED, good("prices"), good("orders"))
    assert assigned(route(done)) == [("commit", "writer")]
    assert route(recorded(done, good("commit"))).action is Action.ACCEPT


@pytest.mark.parametrize(
    ("check", "action", "agent"),
    [
        ("implementation.tests", Action.ROUTE_TO_DEBUG, "autodebug"),
        ("implementation.floors", Action.ROUTE_TO_DEBUG, "autodebug"),
        ("implementation.integrity", Action.RETRY_WITH_FEEDBACK, "other"),
        ("implementation.planned", Action.RETRY_WITH_FEEDBACK, "other"),
    ],
)
def test_what_the_gate_says_decides_who_goes_on(check: str, action: Action, agent: str) -> None:
    found = route(recorded(PLANNED, bad("prices", check)))
    assert (found.action, assigned(found)) == (action, [("prices", agent)])
    assert found.feedback == (f"{check}: why",)


def test_repairs_that_come_to_the_same_twice_are_not_asked_again() -> None:
    tried = [bad("prices", "implementation.tests", agent) for agent in ("writer", "autodebug", "autodebug")]
    assert route(recorded(PLANNED, *tried)).action is Action.RETRY_WITH_FEEDBACK


def test_what_is_lacking_becomes_a_step_that_the_one_that_lacks_it_waits_for() -> None:
    state = recorded(PLANNED, bad("prices", "implementation.complete"))
    found = route(state)
    assert (found.action, found.index) == (Action.ADD_STEP, 2)
    state = applied(state, found)
    assert [step.id for step in state.steps] == ["spec", "plan", "prices+1", "prices", "orders", "commit"]
    assert assigned(route(state)) == [("prices+1", "writer"), ("orders", "writer")]


def test_a_step_that_never_becomes_sufficient_takes_back_what_it_builds_on() -> None:
    state = recorded(PLANNED, *(bad("prices", "implementation.planned") for _ in range(3)))
    found = route(state)
    assert (found.action, found.index) == (Action.TRUNCATE_FROM, 1)
    state = applied(state, found)
    assert assigned(route(state)) == [("plan", "writer")]
    assert state.latest("spec") is not None


def test_what_cannot_be_measured_twice_is_a_persons() -> None:
    once = bad("prices", "implementation.tests", unmeasured=True)
    assert route(recorded(PLANNED, once)).action is not Action.ESCALATE
    assert route(recorded(PLANNED, once, once)).action is Action.ESCALATE


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ((), "there are no steps"),
        ((STEPS[0], STEPS[0]), "two steps have the same name"),
        ((TaskStep("a", GatePoint.PLAN, ("b",)),), "a needs b, which is no step"),
        (
            (TaskStep("a", GatePoint.PLAN, ("b",)), TaskStep("b", GatePoint.PLAN, ("a",))),
            "steps wait for each other",
        ),
    ],
)
def test_steps_without_an_order_are_a_persons(steps: tuple[TaskStep, ...], told: str) -> None:
    found = route(replace(START, steps=steps))
    assert found.action is Action.ESCALATE
    assert told in found.reason


def test_a_phase_that_no_agent_does_is_told() -> None:
    found = route(replace(START, agents=(OTHER,)))
    assert (found.action, found.reason) == (
        Action.ESCALATE,
        "no agent does specification for spec: name one",
    )


# Whatever gates say

CHECKS = st.sampled_from(
    [f"implementation.{name}" for name in ("tests", "integrity", "planned", "complete", "floors", "measured")]
    + ["plan.covers", "plan.order", "commit.gate"]
)
REASONS = st.builds(Reason, CHECKS, st.sampled_from(["a", "b"]), unmeasured=st.booleans())


@st.composite
def tasks(draw: st.DrawFn) -> TaskState:
    count = draw(st.integers(1, 6))
    names = [f"s{n}" for n in range(count)]
    needs = [tuple(draw(st.sets(st.sampled_from(names[:n])))) if n else () for n in range(count)]
    steps = tuple(
        TaskStep(name, draw(st.sampled_from(GatePoint)), tuple(sorted(need)))
        for name, need in zip(names, needs, strict=True)
    )
    agents = draw(st.sampled_from([AGENTS, (WRITER,), (WRITER, REPAIRER), (OTHER,)]))
    return TaskState(steps, agents, limits=Limits(attempts=draw(st.integers(1, 30)), steps=8))


@st.composite
def answers(draw: st.DrawFn) -> tuple[bool, tuple[Reason, ...], tuple[str, ...], float | None]:
    sufficient = draw(st.booleans())
    reasons = () if sufficient else tuple(draw(st.lists(REASONS, max_size=2)))
    floors = tuple(draw(st.lists(st.just("a regression"), max_size=1)))
    return sufficient, reasons, floors, draw(st.none() | st.floats(0, 1))


@settings(max_examples=100, deadline=None)
@given(state=tasks(), given_=st.lists(answers(), min_size=1, max_size=12))
def test_every_task_ends_within_its_bounds_and_none_is_accepted_below_a_floor(
    state: TaskState, given_: list[tuple[bool, tuple[Reason, ...], tuple[str, ...], float | None]]
) -> None:
    limits = state.limits
    most = limits.attempts + (limits.truncations + 1) * limits.steps + limits.truncations + 1
    asked = 0
    for _ in range(most + 1):
        found = route(state)
        assert found == route(state)
        if found.action in ENDS:
            break
        changed = applied(state, found)
        assert bool(found.assignments) != (changed != state)
        for one in found.assignments:
            sufficient, reasons, floors, quality = given_[asked % len(given_)]
            asked += 1
            assert all(
                state.is_done(need) for step in state.steps if step.id == one.step for need in step.needs
            )
            changed = recorded(changed, Attempt(one.step, one.agent, sufficient, reasons, floors, quality))
        state = changed
        assert len(state.attempts) <= limits.attempts
        assert len(state.steps) <= limits.steps
        assert state.truncations <= limits.truncations
    assert found.action in ENDS
    if found.action is Action.ACCEPT:
        newest = [state.latest(step.id) for step in state.steps]
        assert all(one is not None and one.sufficient and not one.floors for one in newest)
        assert all(one.quality is None or one.quality >= limits.accept for one in newest if one)
        assert any(one.quality is not None for one in newest if one)
