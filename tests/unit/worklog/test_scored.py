"""When a final score is a regression."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from gateline.model import FunctionChange
from gateline.worklog.scored import Scored, more_complex, regression

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
WEIGHTS = {"errors": 0.4, "coverage": 0.25, "security": 0.2, "complexity": 0.1, "documentation": 0.05}


def at_final(score: float | None, **parts: float) -> Scored:
    return Scored(NOON, "t1", "tax", "final", "said", "accept", score, 1.0, "e1", parts)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ((90, 90), 77, ""),
        ((90, 90), 76.5, "score 76.5 is 15% below 90.0, the mean of the last 2 accepted on this branch"),
        ((100,), 80, "score 80.0 is 20% below 100.0, the mean of the last one accepted on this branch"),
        ((30, 30), 25.5, ""),
        ((), 10, ""),
        ((90, 90), None, ""),
    ],
)
def test_by_share_and_by_points(before: tuple[float, ...], now: float | None, expected: str) -> None:
    found = regression([at_final(score) for score in before], at_final(now), WEIGHTS)
    assert str(found or "") == expected


def test_it_names_what_explains_most_of_it() -> None:
    good = [at_final(95, errors=100, coverage=100), at_final(95, errors=100, coverage=90)]
    found = regression(good, at_final(70, errors=90, coverage=60), WEIGHTS)
    assert found is not None
    assert (found.what, found.most) == ("score", "coverage")
    assert str(found).endswith(", mostly because of coverage")


def test_an_exact_measure_may_lose_less_than_the_score() -> None:
    good = [at_final(95, errors=100, complexity=100)]
    assert regression(good, at_final(90, errors=100, complexity=91), WEIGHTS) is None
    found = regression(good, at_final(90, errors=100, complexity=90), WEIGHTS)
    assert found is not None
    assert (found.what, found.before, found.now) == ("complexity", 100, 90)


def test_only_final_scores_are_compared() -> None:
    early = Scored(NOON + timedelta(1), "t1", "tax", "early", "said", "continue", 10.0)
    assert regression([at_final(95)], early, WEIGHTS) is None


def test_functions_that_became_more_complex_come_first_by_how_much() -> None:
    rows = [
        FunctionChange("a.py", "f", 1, 3.0, 5.0),
        FunctionChange("a.py", "g", 9, 3.0, 9.0),
        FunctionChange("a.py", "h", 20, 3.0, 3.0),
        FunctionChange("a.py", "new", 30, None, 9.0),
    ]
    assert [f.symbol for f in more_complex(rows)] == ["g", "f"]
