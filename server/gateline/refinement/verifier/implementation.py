"""The third gate point: an implementation that passes its checks, and is what was planned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from gateline.model.evaluation import Status
from gateline.refinement.verifier.judged import Judged, unmeasured
from gateline.refinement.verifier.values import Check, GatePoint, Reason, Verification, verification

UNCHANGED = "implementation.changed"
UNMEASURED = "implementation.measured"


@dataclass(frozen=True, slots=True)
class Implementation:
    """What an agent left, as it was judged."""

    judged: Judged | None
    """None: nobody has judged it yet."""
    status: Status = Status.PASS
    """Of the checkpoint's decision."""
    planned: tuple[str, ...] | None = None
    """The files that the plan names; None where there is no plan."""
    todos: tuple[str, ...] = ()
    """What is still open of the task's list."""
    content: str = ""
    """Names what is there now, as the gate names what it judged; empty: not asked."""


def verify_implementation(work: Implementation) -> Verification:
    """Whether an implementation is sufficient."""
    return verification(GatePoint.IMPLEMENTATION, CHECKS, work)


def _verdict(work: Implementation) -> Iterator[str | Reason]:
    found = work.judged
    if found is None:
        yield Reason("implementation.verdict", "nobody has judged it: run `gateline check`", unmeasured=True)
        return
    if work.content and found.content != work.content:
        yield Reason(
            "implementation.verdict", "it changed since it was judged: check it again", unmeasured=True
        )
    if work.status is Status.FAIL:
        yield f"the gate says {found.outcome} at {found.level}: {found.why}"


def _changed(work: Implementation) -> Iterator[str]:
    if work.judged is not None and not work.judged.changed:
        yield "nothing differs from the base: nothing was done"


def _measured(work: Implementation) -> Iterator[Reason]:
    if work.judged is not None:
        yield from unmeasured(UNMEASURED, work.judged)


def _tests(work: Implementation) -> Iterator[str | Reason]:
    if work.judged is None:
        return
    if work.judged.failing is None:
        yield Reason("implementation.tests", "tests did not run: see `gateline doctor`", unmeasured=True)
    elif work.judged.failing:
        count = work.judged.failing
        yield f"{count} test{'' if count == 1 else 's'} fail that passed at the base: repair them"


def _integrity(work: Implementation) -> Iterator[str]:
    if work.judged is not None:
        yield from (f"{finding}: take it back" for finding in work.judged.integrity)


def _floors(work: Implementation) -> Iterator[str]:
    if work.judged is not None:
        yield from (f"a floor is broken: {floor}" for floor in work.judged.floors)


def _planned(work: Implementation) -> Iterator[str | Reason]:
    """Files that were planned and not changed, or changed and not planned."""
    if work.judged is None:
        return
    if not work.planned:
        told = "the plan names no file: say in its steps what is changed where"
        yield Reason("implementation.planned", told, unmeasured=True)
        return
    for path in work.planned:
        if not any(is_meant(path, changed) for changed in work.judged.changed):
            yield f"{path} was planned and was not changed: change it, or remove it from the plan"
    for changed in work.judged.changed:
        if not any(is_meant(path, changed) for path in work.planned):
            yield f"{changed} was changed and is in no plan: take it back, or plan it"


def is_meant(planned: str, changed: str) -> bool:
    """Whether a plan means a file: by its path, the end of it, or a folder that it is in."""
    wanted = PurePosixPath(planned.strip("/"))
    found = PurePosixPath(changed)
    return found == wanted or wanted in found.parents or found.parts[-len(wanted.parts) :] == wanted.parts


def _complete(work: Implementation) -> Iterator[str]:
    yield from (f"still to be done: {todo}" for todo in work.todos)


CHECKS: tuple[Check[Implementation], ...] = (
    Check("implementation.verdict", "the decision of the checkpoint on what is there now", _verdict),
    Check(UNCHANGED, "whether anything differs from the base", _changed),
    Check(UNMEASURED, "dimensions that are due, and tests: all were measured", _measured),
    Check("implementation.tests", "tests that passed at the base and fail", _tests),
    Check("implementation.integrity", "findings that say that the gate is being gamed", _integrity),
    Check("implementation.floors", "conditions that stop a change whatever its score is", _floors),
    Check(
        "implementation.planned",
        "files that the plan names beside those that changed",
        _planned,
        lambda work: work.planned is not None,
    ),
    Check("implementation.complete", "open items of the task's list", _complete),
)
