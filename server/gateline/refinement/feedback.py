"""What an agent is told of earlier rounds: what still holds, and what was tried."""

from __future__ import annotations

from gateline.refinement.policy import gone, next_step, qualities, quality_of, smoothed
from gateline.refinement.state import LoopState, Merge, Round, Verdict

_FEW = 3
"""Findings of one round that are named one by one."""
_MOST = 12
"""Failing tests that are named one by one."""


def feedback(state: LoopState) -> tuple[str, ...]:
    """Sentences, oldest first: a line for each round, and what is wrong with the content of now."""
    told = [line for done in state.rounds for line in (_of_round(done, state), *_gaming(done))]
    step = next_step(state)
    if step.restored:
        told.append(f"The work tree was put back: {step.reason}.")
    verdict = _holding(state, step.tree)
    missing = gone(verdict, state.total) if verdict is not None else 0
    if missing:
        told.append(f"{missing} of {state.total} tests are not run any more: have them run, and pass.")
    return (*told, *(_of_verdict(verdict) if verdict is not None else ()))


def numbers(state: LoopState) -> tuple[float | None, float | None]:
    """The quality of the content that the next round begins with, and the smoothed one; None: not known."""
    verdict = _holding(state, next_step(state).tree)
    ema = smoothed(qualities(state), state.rules.alpha)
    quality = None if verdict is None else quality_of(verdict, state.total)
    return quality, ema[-1] if ema else None


def told_of(done: Round, state: LoopState) -> str:
    """A round in one line, for people."""
    return _of_round(done, state)


def _holding(state: LoopState, tree: str) -> Verdict | None:
    """The newest verdict on a tree."""
    found = [done.verdict for done in state.rounds if done.tree == tree]
    return found[-1] if found else state.start


def _of_round(done: Round, state: LoopState) -> str:
    if done.merge is not None:
        return _of_merge(done, done.merge)
    way = f"{done.way.agent} ({done.way.strategy})" if done.way.strategy else done.way.agent
    quality = quality_of(done.verdict, state.total)
    what = f"changed {', '.join(done.changed)}" if done.changed else "changed nothing"
    trouble = f"; {done.trouble}" if done.trouble else ""
    failing = len(done.verdict.open)
    step = f"step {done.step}, " if done.step else ""
    told = f"; {_gate(done)}" if done.step and not trouble else ""
    found = f"{what}; {failing} tests fail, quality {quality:.2f}{trouble}{told}"
    return f"Round {done.number}, {step}{way}: {found}."


def _of_merge(done: Round, merge: Merge) -> str:
    others = f"step{'s' * (len(merge.others) > 1)} {', '.join(merge.others)}"
    if merge.paths:
        return f"Round {done.number}, step {done.step}: in conflict with {others} in {merge.reason}."
    return f"Round {done.number}, step {done.step}: merged with {others}; {_gate(done)}."


def _gate(done: Round) -> str:
    """What the gate of its step says."""
    return "sufficient" if done.sufficient else "; ".join(map(str, done.reasons[:_FEW]))


def _gaming(done: Round) -> list[str]:
    """What of a round is not accepted, also when its content was given up: who is not told does it again."""
    seen = done.verdict.integrity
    rest = len(seen) - _FEW
    more = [f"Round {done.number} has {rest} more such findings."] if rest > 0 else []
    return [*(f"Round {done.number} is not accepted: {one}" for one in seen[:_FEW]), *more]


def _of_verdict(verdict: Verdict) -> list[str]:
    told = [f"{one.test} fails: {one.error}{f' at {one.place}' if one.place else ''}" for one in verdict.open]
    rest = len(told) - _MOST
    more = [f"{rest} more tests fail."] if rest > 0 else []
    gamed = [f"This is not accepted: {one}" for one in verdict.integrity]
    floors = [f"A floor is broken: {one}" for one in verdict.floors]
    return [*told[:_MOST], *more, *gamed, *floors, *verdict.reasons]
