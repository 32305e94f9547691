"""What the verifier needs of an evaluation, and what was not measured in one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gateline.model.evaluation import Evaluation, Outcome
from gateline.model.finding import Dimension
from gateline.model.measure import State
from gateline.refinement.verifier.values import Reason

_MISSING = (State.NO_DATA, State.STALE, State.FAILED)


@dataclass(frozen=True, slots=True)
class Judged:
    """An evaluation, as far as a gate point asks it."""

    level: str
    outcome: Outcome
    content: str = ""
    reasons: tuple[str, ...] = ()
    floors: tuple[str, ...] = ()
    integrity: tuple[str, ...] = ()
    """Findings that say that the gate is being gamed, certain or not."""
    missing: tuple[tuple[str, str], ...] = ()
    """What was due and was not measured, with the reason."""
    failing: int | None = None
    """How many tests fail that did not at the base; None where tests did not run."""
    changed: tuple[str, ...] = ()
    """The paths that differ from the base."""

    @property
    def why(self) -> str:
        """The decision's reasons in a line."""
        return "; ".join(self.reasons) or "see its report"


def judged(evaluation: Evaluation) -> Judged:
    """What an evaluation says."""
    integrity = [f for f in evaluation.findings if f.dimension is Dimension.INTEGRITY]
    changed = sorted(file.path for file in (*evaluation.files, *evaluation.others))
    tests = evaluation.tests
    return Judged(
        str(evaluation.level),
        evaluation.decision.outcome,
        evaluation.content,
        evaluation.decision.reasons,
        evaluation.score.floors,
        tuple(f"{f.code} {f.path}: {f.message}" for f in integrity),
        tuple(_missing(evaluation)),
        None if tests is None else tests.failing,
        tuple(changed),
    )


def _missing(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    for part in evaluation.score.parts:
        if part.state in _MISSING:
            yield str(part.dimension), part.reason or str(part.state)
        for source in part.sources:
            if source.state in _MISSING:
                yield source.name, source.reason or str(source.state)


def unmeasured(check: str, found: Judged) -> Iterator[Reason]:
    """What was due and was not measured: nobody knows whether it is sufficient."""
    for name, why in found.missing:
        yield Reason(check, f"{name} was not measured: {why}", unmeasured=True)
