"""What a new final score is compared with: accepted ones of other content, each content once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from gateline.store.database import Database
from gateline.store.scores import Scores
from gateline.worklog.scored import Scored, regression
from support.recorded_tasks import NOON

GOOD = Scored(NOON, "t", "main", "final", "said", "accept", 100.0, edition="e", content="one")
WORSE = replace(GOOD, score=80.0, outcome="conditional-accept", content="two")


def means(scores: Scores, besides: str) -> list[float | None]:
    return [one.score for one in scores.accepted("main", "e", newest=5, besides=besides)]


def test_asking_again_about_the_same_content_heals_no_regression(file: Path) -> None:
    scores = Scores(Database(file))
    for number in range(6):
        scores.add(replace(GOOD, content=f"good {number}"))
    for _ in range(8):
        known = scores.accepted("main", "e", newest=5, besides=WORSE.content)
        found = regression(known, WORSE, {})
        assert found is not None
        assert (found.before, found.of) == (100.0, 5)
        scores.add(WORSE)


def test_each_content_counts_once_for_what_follows(file: Path) -> None:
    scores = Scores(Database(file))
    for one in (GOOD, WORSE, WORSE, WORSE):
        scores.add(one)
    assert means(scores, "three") == [100.0, 80.0]
    assert means(scores, "two") == [100.0]


def test_scores_of_before_contents_were_kept_still_count(file: Path) -> None:
    scores = Scores(Database(file))
    for one in (replace(GOOD, content=""), replace(GOOD, content="", score=90.0)):
        scores.add(one)
    assert means(scores, "") == [100.0, 90.0]


EARLY = Scored(
    NOON, "t", "tax", "early", "said", "continue", 90.0, edition="e", parts={"errors": 90.0}, base="b"
)
MIDDLE = replace(EARLY, level="middle", task="")


def test_the_early_score_of_the_same_change_is_found(file: Path) -> None:
    scores = Scores(Database(file))
    for one in (replace(EARLY, score=70.0), EARLY, replace(EARLY, branch="main"), MIDDLE):
        scores.add(one)
    assert scores.early(MIDDLE) == EARLY
    assert scores.early(replace(MIDDLE, base="c")) is None
    assert scores.early(replace(MIDDLE, edition="other")) is None


def test_the_early_score_of_the_same_task_is_found_whatever_its_base(file: Path) -> None:
    scores = Scores(Database(file))
    scores.add(EARLY)
    assert scores.early(replace(MIDDLE, task="t", base="c")) == EARLY


def test_an_early_score_that_was_said_goes_before_an_inferred_one(file: Path) -> None:
    scores = Scores(Database(file))
    inferred = replace(EARLY, progress="inferred")
    scores.add(inferred)
    assert scores.early(MIDDLE) == inferred
    for one in (EARLY, inferred, replace(EARLY, outcome="fast-fail")):
        scores.add(one)
    assert scores.early(MIDDLE) == EARLY
