"""A decision as it is recorded: what was decided, of what, and the evidence."""

from __future__ import annotations

import json
from dataclasses import replace

from gateline.model import Decision, Level, Outcome, Progress, Score, State, Status, TestRun
from gateline.worklog.decided import Circumstances, entry, repetition
from support.recorded_work import evaluation

HERE = Circumstances("check", branch="tax", task="t1")


def test_it_has_its_evidence() -> None:
    tests = TestRun("all", 3, 4, state=State.MEASURED, failing=1)
    judged = replace(evaluation(Level.FINAL, Outcome.ACCEPT), content="c0ffee", tests=tests)
    found = entry(judged, HERE)
    assert json.loads(json.dumps(found)) == found, "values that JSON has"
    told = ("scope", "level", "outcome", "score", "evidence", "base", "content", "branch", "task", "by")
    assert [found[name] for name in told] == [
        *("change", "final", "accept", 90.0, 1.0, "base", "c0ffee", "tax", "t1", "check"),
    ]
    assert found["parts"] == {"errors": {"state": "measured", "value": 90.0, "weight": 1.0}}
    assert found["tests"] == {"which": "all", "run": 3, "total": 4, "state": "measured", "failing": 1}


def test_the_same_evidence_has_the_same_name_whoever_asked() -> None:
    first, again = entry(evaluation(), HERE), entry(evaluation(), Circumstances("editor", branch="main"))
    assert first["decision"] == again["decision"]
    others = (
        entry(evaluation(score=80.0), HERE),
        entry(evaluation(progress=Progress.SAID), HERE),
        entry(replace(evaluation(), content="other"), HERE),
        entry(evaluation(), replace(HERE, scope="staged")),
        entry(evaluation(), replace(HERE, paths=("src",))),
    )
    assert len({str(row["decision"]) for row in (first, *others)}) == 6


def test_a_repetition_is_short() -> None:
    full = entry(evaluation(), HERE)
    short = repetition(full, 7)
    assert (short["again"], short["outcome"], short["by"]) == (7, "continue", "check")
    assert "parts" not in short
    assert "decision" not in short, "or the next one would refer to this one"


def test_a_decision_that_could_not_be_made_is_one() -> None:
    decision = Decision(Outcome.UNDECIDED, Status.WARN, tuple(f"reason {n}" for n in range(50)))
    found = entry(replace(evaluation(), decision=decision, score=Score(None, None, 0.0)), HERE)
    assert (found["outcome"], found["score"]) == ("undecided", None)
    reasons = found["reasons"]
    assert isinstance(reasons, list)
    assert (len(reasons), reasons[-1]) == (21, "30 more")
