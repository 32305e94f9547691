"""Other policies for the product's loop: what it would do without supervision, to be compared with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from gateline.refinement.policy import best_of, is_acceptable
from gateline.refinement.state import Kind, LoopState, Step
from gateline.session.refinement import loop

Policy = Callable[[LoopState], Step]


def unsupervised(state: LoopState) -> Step:
    """Rounds without checkpoints: on from what the last one left, to the bound, unless one is accepted."""
    verdict = state.latest
    if state.ended is not None:
        return state.ended
    if state.start is None or verdict is None:
        return Step(Kind.VERIFY, "nothing was looked at yet", tree=state.tree)
    if is_acceptable(verdict, state.rules, state.total):
        return Step(Kind.ACCEPT, "accepted", tree=state.now)
    if len(state.rounds) >= state.rules.rounds:
        return Step(Kind.BOUND, "the rounds are over", tree=state.now)
    return Step(Kind.RUN, "not accepted", state.ways[0], state.now)


def afresh(state: LoopState) -> Step:
    """Every round begins with what the loop began with, whatever came of the one before."""
    step = unsupervised(state)
    if step.kind is Kind.ACCEPT and len(state.rounds) < state.rules.rounds:
        return Step(Kind.RUN, "the next one", state.ways[0], state.tree)
    if step.kind is Kind.RUN:
        return Step(Kind.RUN, "the next one", state.ways[0], state.tree, restored=state.tree != state.now)
    if step.kind is Kind.ACCEPT:
        return Step(Kind.BOUND, "the rounds are over", tree=best_of(state)[0])
    return step


@contextmanager
def in_force(policy: Policy | None) -> Iterator[None]:
    """The product's loop follows another policy; None: its own."""
    if policy is None:
        yield
        return
    with patch.object(loop, "next_step", policy):
        yield
