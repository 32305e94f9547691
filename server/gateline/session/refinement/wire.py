"""Refinement loops as they go over the wire."""

from __future__ import annotations

from itertools import pairwise

from gateline.protocol.refinements import FailingResult, LoopResult, RoundResult
from gateline.refinement.course import result_of
from gateline.refinement.policy import qualities, quality_of, smoothed
from gateline.refinement.state import LoopState, Round
from gateline.session.refinement.service import Standing


def loop_result(standing: Standing, folder: str) -> LoopResult:
    """A loop, and what it does now."""
    state = standing.state
    end = state.ended
    return LoopResult(
        loop=state.id,
        folder=folder,
        goal=state.goal,
        phase=standing.phase.value,
        step=standing.step,
        trouble=standing.trouble,
        troubles=state.troubles,
        begun_at=state.begun,
        most=state.rules.rounds,
        failing=len(state.start.open) if state.start is not None else None,
        quality=round(quality_of(state.start, state.total), 4) if state.start is not None else None,
        rounds=_rounds(state),
        end=str(end.kind) if end is not None else "",
        reason=end.reason if end is not None else "",
        accepted=end is not None and end.kind == "accept",
        best=_best(state),
    )


def _rounds(state: LoopState) -> tuple[RoundResult, ...]:
    ema = smoothed(qualities(state), state.rules.alpha)
    left = {first.number for first, then in pairwise(state.rounds) if then.start != first.tree}
    return tuple(
        _round(done, state, average, restored=done.number in left)
        for done, average in zip(state.rounds, ema, strict=True)
    )


def _round(done: Round, state: LoopState, ema: float, *, restored: bool) -> RoundResult:
    verdict = done.verdict
    return RoundResult(
        number=done.number,
        agent=done.way.agent,
        strategy=done.way.strategy,
        quality=round(quality_of(verdict, state.total), 4),
        ema=round(ema, 4),
        score=verdict.score,
        checkpoint=verdict.checkpoint,
        decision=verdict.decision,
        trajectory=verdict.trajectory,
        passed=verdict.passed,
        failing=tuple(FailingResult(test=o.test, error=o.error, place=o.place) for o in verdict.open),
        floors=verdict.floors,
        integrity=verdict.integrity,
        changed=done.changed,
        restored=restored,
        reasoning=done.reasoning,
        trouble=done.trouble,
        step=done.step,
        insufficient=tuple(map(str, done.reasons)),
        merged_with=done.merge.others if done.merge is not None else (),
        seconds=done.seconds,
        tokens=done.tokens,
        cost=done.cost,
    )


def _best(state: LoopState) -> int:
    """The newest round that left the best content; 0: the start."""
    tree = result_of(state)
    return next((done.number for done in reversed(state.rounds) if done.tree == tree), 0)
