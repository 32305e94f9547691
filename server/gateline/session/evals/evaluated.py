"""A run measured against earlier ones: what is kept of it, and what is remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gateline.evals.regression import ANCHOR, Regression, regression
from gateline.evals.run import EXPECTED, Run
from gateline.memory.lesson import NOWHERE, Anchor, Lesson, Note, Source
from gateline.memory.reminders import FAILURE, REGRESSION
from gateline.session.memory.memory import Memory
from gateline.store.database import Database
from gateline.store.evals import EvalRuns

_NAMED = 10
"""Cases that a lesson names."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A run, and what it means."""

    run: Run
    regression: Regression | None
    lesson: Lesson | None = None
    """What was remembered; None for a run that is as it should be."""

    @property
    def undecided(self) -> bool:
        """Whether a case was not measured: nothing is said then of the target, or of earlier runs."""
        return bool(self.run.unmeasured)

    @property
    def failed(self) -> bool:
        """Whether the run is a regression, or does not reach the target of its kind."""
        return not self.undecided and (self.regression is not None or not self.run.reaches_target)


def evaluated(run: Run, database: Database, memory: Memory, anchor: Anchor = NOWHERE) -> Evaluated:
    """Measure a run against those that were accepted, keep it, and remember what failed. Raises StoreError.

    `anchor`: what the suite calls, so that who works on it is told what failed.
    Accepted is what reaches the target and is no regression: only that raises or lowers what is expected. Of
    a run with a case that was not measured nothing is kept.
    """
    if run.unmeasured:
        return Evaluated(run, None)
    runs = EvalRuns(database)
    found = regression(runs.accepted(run.suite, ANCHOR, run.judge), run)
    accepted = found is None and run.reaches_target
    made = replace(run, accepted=accepted)
    runs.add(made)
    if accepted:
        return Evaluated(made, None)
    return Evaluated(made, found, memory.remember(_note(run, found, anchor)).lesson)


def warnings_of(memory: Memory, suite: str) -> Sequence[Lesson]:
    """What was learned when a suite failed: to be shown before it, or its operation, is used again."""
    tagged = (found.lesson for found in memory.all())
    return [one for one in tagged if one.note.source is Source.EVAL and suite in one.note.tags]


def _note(run: Run, found: Regression | None, anchor: Anchor) -> Note:
    target = EXPECTED[run.kind].target
    cases = found.flipped if found and found.flipped else run.failed
    named = ", ".join(cases[:_NAMED]) + (f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else "")
    told = f"{found}" if found else f"{run.suite}: {run.score:.1%} of {run.cases} cases, below {target:.0%}"
    text = f"Eval {told}. Failing cases: {named}."[:1_900]
    tags = (FAILURE, run.suite, *((REGRESSION,) if found else ()))
    detail: dict[str, object] = {"score": run.score, "cases": list(cases)}
    return Note(text, tags, anchor, Source.EVAL, detail)
