"""The gate after a step of a plan: whether what an agent left is sufficient, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gateline.model.evaluation import Status
from gateline.refinement.policy import gone, is_acceptable, quality_of
from gateline.refinement.router import TaskStep
from gateline.refinement.state import LoopState, Verdict
from gateline.refinement.verifier.implementation import (
    UNCHANGED,
    UNMEASURED,
    Implementation,
    is_meant,
    verify_implementation,
)
from gateline.refinement.verifier.judged import Judged
from gateline.refinement.verifier.values import Reason

TROUBLE = "agent.trouble"
_FEW = 5
"""Failing tests that are named one by one."""


@dataclass(frozen=True, slots=True)
class Left:
    """What a step left, and what was found of it."""

    step: TaskStep
    verdict: Verdict
    judged: tuple[Judged, Status] | None
    """What the gate says of it, and whether that is a pass; None: nothing differs from the base."""
    changed: tuple[str, ...]
    """The files that differ from the content that the loop began with."""
    open: tuple[str, ...] = ()
    """What its agent says is still to be done."""
    trouble: str = ""
    last: bool = False
    """Whether the whole is done with it: then no test may fail, also none that failed before."""


def reasons_of(left: Left, state: LoopState, steps: Sequence[TaskStep]) -> tuple[Reason, ...]:
    """Why what a step left is not sufficient; empty when it is. `steps`: all of the plan."""
    if left.trouble:
        return (Reason(TROUBLE, left.trouble),)
    found = [*_verified(left, state, steps), *_open(left)]
    if left.last and not left.open:
        found += _whole(left.verdict, state)
    return tuple(dict.fromkeys(found))


def _verified(left: Left, state: LoopState, steps: Sequence[TaskStep]) -> Iterator[Reason]:
    """What the verifier says of an implementation, measured from where the loop began."""
    if left.judged is None:
        yield from _planned(left, steps)
        return
    start = {one.test for one in state.start.open} if state.start is not None else set[str]()
    new = [one for one in left.verdict.open if one.test not in start]
    said, status = left.judged
    judged = replace(said, failing=None if said.failing is None else len(new), changed=left.changed)
    for reason in verify_implementation(Implementation(judged, status)).reasons:
        # A step that only looks changes nothing; of the whole the final gate says what it lacks (`_whole`).
        if reason.check != UNCHANGED and not (left.last and reason.check == UNMEASURED):
            yield reason
    yield from _planned(left, steps)


def _planned(left: Left, steps: Sequence[TaskStep]) -> Iterator[Reason]:
    """Files of the step that were not changed, and files that were and are of no step."""
    # What is still open is told as that: it becomes a step.
    for path in left.step.paths if not left.open else ():
        if not any(is_meant(path, changed) for changed in left.changed):
            yield Reason("implementation.planned", f"{path} is of this step and was not changed")
    every = [path for step in steps for path in step.paths]
    for path in left.changed:
        if every and not any(is_meant(planned, path) for planned in every):
            yield Reason("implementation.planned", f"{path} was changed and is of no step: take it back")


def _open(left: Left) -> Iterator[Reason]:
    yield from (Reason("implementation.complete", f"still to be done: {one}") for one in left.open)


def _whole(verdict: Verdict, state: LoopState) -> list[Reason]:
    """What keeps the whole from being accepted."""
    rules = state.rules
    total = max(state.total, verdict.total)
    if is_acceptable(verdict, rules, total):
        return []
    told = [Reason("implementation.tests", f"{one.test} fails: {one.error}") for one in verdict.open[:_FEW]]
    if missing := gone(verdict, total):
        told.append(Reason("implementation.tests", f"{missing} tests are not run any more"))
    if told:
        return told
    if verdict.outcome == "undecided":
        why = "; ".join(verdict.reasons) or "something was not measured"
        return [Reason(UNMEASURED, why, unmeasured=True)]
    quality = quality_of(verdict, total)
    why = "; ".join(verdict.reasons) or f"quality {quality:.2f}, {rules.accept:.2f} is accepted"
    return [Reason("implementation.verdict", f"the whole is {verdict.outcome}: {why}")]
