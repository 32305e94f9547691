"""The same content is judged once, and what is judged of another is another verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gateline.model import (
    Change,
    Decision,
    Dimension,
    Evaluation,
    Level,
    Outcome,
    Progress,
    Report,
    Score,
    State,
    Status,
    TestRun,
)
from gateline.session.judge.memo import Memo
from gateline.session.judge.request import Request
from gateline.session.tests.tested import Tested
from gateline.session.types.types import Typed

REPORT = Report("types", Dimension.ERRORS, State.MEASURED)
REQUEST = Request(Change("base", "HEAD"), Level.EARLY, Progress.INFERRED, Typed(), Tested())


def evaluation(level: Level) -> Evaluation:
    decision = Decision(Outcome.CONTINUE, Status.PASS)
    return Evaluation(level, Progress.INFERRED, "base", "HEAD", Score(100, 100, 1.0), decision)


def test_what_decides_nothing_makes_no_other_verdict() -> None:
    memo = Memo()
    known = memo.put(REQUEST, evaluation(Level.EARLY))
    beside = replace(REQUEST, around={"a.py": "x"}, tested=Tested(executing=("test_a",)))
    assert memo.get(REQUEST) is memo.get(beside) is known
    assert memo.change_of(known) is REQUEST.change


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, change=Change("other", "HEAD")),
        replace(REQUEST, progress=Progress.SAID),
        replace(REQUEST, typed=Typed(current={"a.py": REPORT})),
        replace(REQUEST, typed=Typed(base={"a.py": REPORT})),
        replace(REQUEST, tested=Tested(current={"a.py": (REPORT,)})),
        replace(REQUEST, tested=Tested(base={"a.py": (REPORT,)})),
        replace(REQUEST, tested=Tested(about=TestRun(State.MEASURED, run=1, total=1))),
    ],
)
def test_what_decides_makes_another_verdict(other: Request) -> None:
    memo = Memo()
    old = memo.put(REQUEST, evaluation(Level.EARLY))
    assert memo.get(other) is None
    memo.put(other, evaluation(Level.EARLY))
    assert (memo.get(REQUEST), memo.change_of(old)) == (None, None)


def test_each_checkpoint_has_its_own() -> None:
    memo = Memo()
    early = memo.put(REQUEST, evaluation(Level.EARLY))
    final = replace(REQUEST, level=Level.FINAL)
    assert memo.get(final) is None
    memo.put(final, evaluation(Level.FINAL))
    assert memo.get(REQUEST) is early
