"""Choices are recorded with what they can be learned from, and what they propose is shown."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from gateline.cli.commands import main
from gateline.ranking.rank import rank
from gateline.ranking.values import Blocked, Candidate, Pool, Recalibration
from gateline.session.compare.comparing import Comparison
from gateline.session.compare.learning import learned, told
from gateline.session.compare.recorded import record_choice, record_rejection
from gateline.store.candidates.trees import Given
from support.repositories import Repository

PASSING = {"regressions": 0, "visible_passed": 3, "visible_total": 3}
POOL = Pool(
    (
        Candidate("plain", criteria={"complexity": 1.0, "security": 0.5}, **PASSING),
        Candidate("safe", criteria={"complexity": 0.5, "security": 1.0}, **PASSING),
        # What fails tests was not left for its score.
        Candidate("fails", regressions=0, visible_total=3, criteria={"complexity": 0.0, "security": 0.0}),
        Candidate("blocked", (Blocked("parses", "line 3"),), criteria={"security": 0.0}),
    ),
    {("plain", "safe"): 0.5},
)
GIVEN = {one.name: Given(one.name, "commit", f"tree of {one.name}", ("a.py",)) for one in POOL.candidates}
FOUND = Comparison("0" * 40, rank(POOL), tuple(GIVEN.values()), ())


@pytest.fixture
def project(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Repository:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    repository.commit("begin", **{"a.py": "X = 1\n"})
    monkeypatch.chdir(repository.folder)
    return repository


def gateline(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_without_choices_nothing_is_proposed(project: Repository) -> None:
    done = gateline("compare", "--learn")
    assert done.stdout.splitlines() == [
        "weights: 0 choices tell something, 20 are needed for a proposal",
        "confidence: 0 choices tell something, 50 are needed for a proposal",
    ]
    assert done.exit_code == 0


def test_choices_propose_weights_that_settings_take(project: Repository) -> None:
    for _ in range(20):
        assert record_choice(project.folder, FOUND, GIVEN["safe"]) == ""
    found = learned(project.folder)
    assert (found.choices, found.judged, found.recalibration) == (20, 20, None)
    lines = gateline("compare", "--learn").stdout.splitlines()
    assert "  quality: 0.25 → 0.207; what was chosen is better in 0, worse in 20" in lines
    assert "  safety: 0.10 → 0.120; what was chosen is better in 20, worse in 0" in lines
    said = "\n".join(
        line.strip() for line in lines[lines.index("to accept it, write into the settings:") + 1 :]
    )
    project.write("pyproject.toml", said + "\n")
    shown = gateline("config", "show")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert found.weights is not None
    for category, value in found.weights.weights.items():
        assert f"compare.weights.{category} = {value}" in shown.stdout


def test_a_rejection_tells_of_the_confidence_alone(project: Repository) -> None:
    assert record_rejection(project.folder, FOUND) == ""
    found = learned(project.folder)
    assert (found.choices, found.judged) == (0, 1)
    (row,) = json.loads(gateline("audit", "--output", "json").stdout)
    assert (row["scope"], row["feedback"], row["chosen"]) == ("choice", "rejected_all", "")
    assert "compare: a person rejected all of " in gateline("audit").stdout


@pytest.mark.parametrize("name", ["plain", "safe", "fails"])
def test_whether_the_winner_was_taken_is_recorded(project: Repository, name: str) -> None:
    record_choice(project.folder, FOUND, GIVEN[name])
    (row,) = json.loads(gateline("audit", "--output", "json").stdout)
    won = name == FOUND.ranking.winner
    assert row["feedback"] == ("accepted_winner" if won else "chose_other")
    assert row["shipped"] == FOUND.ranking.confidence.calibrated


def test_a_correction_of_the_confidence_is_told_with_examples(project: Repository) -> None:
    found = learned(project.folder)
    lines = list(told(type(found)(0, 50, None, Recalibration(-1.0, 1.0))))
    assert lines[1] == "confidence, from 50 choices: 0.60 → 0.36, 0.80 → 0.60, 0.95 → 0.87"
    assert lines[-2:] == ["  confidence-offset = -1.0", "  confidence-slope = 1.0"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("a", "b", "--learn"), "--learn takes no candidates; remove a, b"),
        (("a", "b", "--apply", "--reject"), "--apply, --choose and --reject are mutually exclusive"),
    ],
)
def test_mistakes_are_told(project: Repository, words: tuple[str, ...], said: str) -> None:
    done = gateline("compare", *words)
    assert (done.exit_code, said in done.stderr) == (2, True)


def test_weights_that_do_not_add_up_are_a_mistake(project: Repository) -> None:
    project.write("pyproject.toml", "[tool.gateline.compare.weights]\nquality = 0.5\n")
    assert "the five weights must add up to 1, they add up to 1.25" in gateline("config", "show").stderr
