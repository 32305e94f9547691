"""When a run is a regression: against the mean, against the best, and not by chance."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from gateline.evals.regression import regression, upper_bound
from gateline.evals.run import CaseResult, Kind, Run, run_of

AT = datetime(2026, 3, 1, tzinfo=UTC)


def run(score: float, kind: Kind = Kind.OPERATION, cases: int = 200, failed: Sequence[str] = ()) -> Run:
    return Run("slugs", kind, AT, score, cases, tuple(failed))


def drops(kind: Kind, cases: int, *scores: float) -> bool:
    *before, now = (run(score, kind, cases) for score in scores)
    return regression(before, now) is not None


@pytest.mark.parametrize(
    ("kind", "cases", "scores", "found"),
    [
        (Kind.EXACT, 200, (1.0, 0.91), False),
        (Kind.EXACT, 200, (1.0, 0.90), True),
        (Kind.OPERATION, 200, (1.0, 0.86), False),
        (Kind.OPERATION, 200, (1.0, 0.85), True),
        (Kind.JUDGE, 200, (1.0, 0.81), False),
        (Kind.JUDGE, 200, (1.0, 0.80), True),
        (Kind.EXACT, 200, (0.5, 0.5, 0.5), False),
        (Kind.EXACT, 200, (0.9, 1.0), False),
        (Kind.EXACT, 200, (0.0, 0.0), False),
        (Kind.EXACT, 10, (0.9, 0.8), False),
        (Kind.EXACT, 10, (0.9, 0.5), True),
        (Kind.EXACT, 4, (1.0, 0.0), False),
        (Kind.EXACT, 5, (1.0, 0.0), True),
    ],
)
def test_a_drop(kind: Kind, cases: int, scores: Sequence[float], found: bool) -> None:
    assert drops(kind, cases, *scores) is found


def test_without_an_accepted_run_nothing_is_told() -> None:
    assert regression([], run(0.0)) is None


@pytest.mark.parametrize("kind", Kind)
def test_a_drift_of_one_per_cent_a_run_is_caught_by_the_anchor(kind: Kind) -> None:
    accepted: list[Run] = []
    caught = None
    for number in range(21):
        now = run(1 - 0.01 * number, kind)
        caught = regression(accepted, now)
        if caught is not None:
            break
        accepted.append(now)
    assert len(accepted) <= 20
    assert caught is not None
    assert (caught.against, caught.before) == ("best", 1.0)


def test_the_mean_alone_would_not_see_the_drift() -> None:
    accepted = [run(1 - 0.01 * number) for number in range(5, 15)]
    assert regression(accepted, run(0.85)) is None
    assert regression([run(1.0), *accepted], run(0.85)) is not None


def test_the_best_of_older_runs_is_forgotten() -> None:
    accepted = [run(1.0), *[run(0.9)] * 20]
    assert regression(accepted, run(0.84)) is None


def test_the_cases_that_flipped_are_named() -> None:
    found = regression([run(1.0, failed=["old"])], run(0.5, failed=["old", "umlauts", "dashes"]))
    assert found is not None
    assert found.flipped == ("umlauts", "dashes")
    assert str(found) == (
        "slugs: 50.0% is 50% below 100.0%, the mean of the last 1 accepted; flipped: umlauts, dashes"
    )


def test_the_interval_is_wilson_s() -> None:
    assert upper_bound(0.5, 10) == pytest.approx(0.7308, abs=1e-3)
    assert upper_bound(1.0, 10) == pytest.approx(1.0)


def test_a_run_is_the_mean_of_its_cases() -> None:
    made = run_of("slugs", Kind.EXACT, AT, [CaseResult("a", 1.0), CaseResult("b", 0.2, "no")])
    assert (made.score, made.failed, made.reaches_target) == (0.6, ("b",), False)
    with pytest.raises(ValueError, match="no cases"):
        run_of("slugs", Kind.EXACT, AT, [])
