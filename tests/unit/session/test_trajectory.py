"""How the score moved from early to middle, as a session tells it."""

from __future__ import annotations

import pytest

from gateline.gates.trajectory import ACCELERATE, REFOCUS, ROLLBACK
from gateline.model import (
    Decision,
    Dimension,
    Evaluation,
    FileSummary,
    Level,
    Outcome,
    Part,
    Progress,
    Score,
    State,
    Status,
)
from gateline.model.evaluation import Thresholds
from gateline.session.judge.verdicts import Verdicts
from gateline.session.live.status import StatusUpdate

COUNTED, INFERRED, SAID = Progress.COUNTED, Progress.INFERRED, Progress.SAID
LIMITS = Thresholds(85, 70, 0.6)


def at(
    level: Level,
    errors: float,
    progress: Progress = SAID,
    outcome: Outcome = Outcome.CONTINUE,
    limits: Thresholds = LIMITS,
    *,
    base: str = "b",
    changed: bool = True,
) -> Evaluation:
    parts = [Part(Dimension.ERRORS, State.MEASURED, value=errors, weight=0.8)]
    if level is not Level.EARLY:
        parts.append(Part(Dimension.SECURITY, State.MEASURED, value=20.0, weight=0.2))
    score = Score(errors, errors, 1.0, tuple(parts))
    files = (FileSummary("a.py", "modified"),) if changed else ()
    return Evaluation(
        level, progress, base, "HEAD", score, Decision(outcome, Status.PASS), files=files, thresholds=limits
    )


class Told:
    """Verdicts, and the statuses they told."""

    def __init__(self, *evaluations: Evaluation) -> None:
        self.statuses: list[StatusUpdate] = []
        self.verdicts = Verdicts(self.statuses.append)
        for evaluation in evaluations:
            self.verdicts.take(evaluation)


@pytest.mark.parametrize(
    ("early", "middle", "name", "advice", "focus"),
    [
        (100, 89, "negative trajectory", ROLLBACK, None),
        (100, 90, "slight degradation", REFOCUS, Dimension.SECURITY),
        (60, 90, "steady", (), None),
        (60, 91, "excellent progress", ACCELERATE, None),
    ],
)
def test_each_class_stands_in_the_status_and_the_history(
    early: float, middle: float, name: str, advice: tuple[str, ...], focus: Dimension | None
) -> None:
    told = Told(at(Level.EARLY, early), at(Level.MIDDLE, middle))
    first, second = told.statuses
    assert first.trajectory is None and second.trajectory is not None
    moved = second.trajectory
    assert (moved.delta, moved.name, moved.advice, moved.focus) == (middle - early, name, advice, focus)
    assert [entry.trajectory for entry in told.verdicts.entries()] == [None, moved]


def test_the_limits_are_those_of_the_settings_that_judge() -> None:
    wide = Thresholds(85, 70, 0.6, trajectory_drop=60.0, trajectory_rise=5.0)
    assert _name(at(Level.EARLY, 100), at(Level.MIDDLE, 60, limits=wide)) == "slight degradation"
    assert _name(at(Level.EARLY, 80), at(Level.MIDDLE, 90, limits=wide)) == "excellent progress"


@pytest.mark.parametrize(("early", "middle"), [(INFERRED, SAID), (SAID, INFERRED), (INFERRED, INFERRED)])
def test_an_inferred_checkpoint_tells_and_never_advises_a_rollback(early: Progress, middle: Progress) -> None:
    told = Told(at(Level.EARLY, 100, early), at(Level.MIDDLE, 50, middle))
    moved = told.statuses[-1].trajectory
    assert moved is not None
    assert (moved.name, moved.advice) == ("negative trajectory", ())


def test_what_was_said_goes_before_what_was_inferred_since() -> None:
    typed = at(Level.EARLY, 55, INFERRED)
    told = Told(at(Level.EARLY, 100, COUNTED), typed, at(Level.MIDDLE, 50))
    moved = told.statuses[-1].trajectory
    assert moved is not None
    assert (moved.delta, moved.advice) == (-50, ROLLBACK)


def test_nothing_is_told_beside_a_text_that_did_not_parse() -> None:
    assert _name(at(Level.EARLY, 0, outcome=Outcome.FAST_FAIL), at(Level.MIDDLE, 100)) is None


def test_another_change_is_not_compared() -> None:
    assert _name(at(Level.EARLY, 100, base="a"), at(Level.MIDDLE, 50)) is None
    assert _name(at(Level.EARLY, 100), at(Level.EARLY, 100, changed=False), at(Level.MIDDLE, 50)) is None


def test_only_middle_has_one() -> None:
    assert _name(at(Level.EARLY, 100), at(Level.FINAL, 50)) is None
    assert _name(at(Level.MIDDLE, 50)) is None


def _name(*evaluations: Evaluation) -> str | None:
    moved = Told(*evaluations).statuses[-1].trajectory
    return None if moved is None else moved.name
