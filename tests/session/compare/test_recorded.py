"""A comparison is in the audit trail, and `gateline audit` shows it."""

import json

import pytest
from click.testing import CliRunner

from gateline.cli.commands import main
from gateline.ranking.rank import rank
from gateline.ranking.values import Blocked, Candidate, Pool
from gateline.session.compare.comparing import Comparison, LeftOut
from gateline.session.compare.recorded import record
from gateline.store.candidates.trees import Given
from support.repositories import Repository

GOOD = Candidate("good", regressions=0, visible_passed=3, visible_total=3, criteria={"tests": 1.0})
BAD = Candidate("bad", (Blocked("parses", "line 3"),))


def comparison(*candidates):
    given = tuple(Given(one.name, "commit", f"tree-of-{one.name}", ("a.py",)) for one in candidates)
    return Comparison("0" * 40, rank(Pool(candidates)), given, (LeftOut("nobody", "nobody is no branch"),))


def audit(*arguments):
    return CliRunner().invoke(main, ["audit", *arguments], prog_name="gateline").stdout


@pytest.fixture
def project(repository: Repository, monkeypatch, tmp_path_factory):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    repository.commit("begin", **{"a.py": "X = 1\n"})
    monkeypatch.chdir(repository.folder)
    return repository.folder


def test_winner_confidence_strategy_and_isolation_are_recorded(project):
    found = comparison(GOOD, BAD)
    assert record(project, found) == ""
    (row,) = json.loads(audit("--output", "json"))
    told = ("scope", "by", "branch", "winner", "strategy", "isolation", "accepted")
    assert [row[name] for name in told] == [
        *("comparison", "compare", "main", "good", "evidence", "bubblewrap", False)
    ]
    sure = found.ranking.confidence
    assert (row["calibrated"], row["formula"]) == (sure.calibrated, sure.formula)
    assert row["candidates"][1] == {
        "name": "bad",
        "tree": "tree-of-bad",
        "place": 2,
        "score": 0.0,
        "blocked": ["parses"],
    }
    page = audit()
    assert f"compare: take good, confidence {sure.calibrated:.2f} (formula {sure.formula:.2f})" in page
    assert "comparison, on main, by compare" in page
    assert "against 000000000000, strategy evidence, isolation bubblewrap" in page
    assert "2. bad (tree tree-of-bad, score 0.00, blocked by parses)" in page
    assert audit("--verify") == "1 decision, 1 to 1: all unchanged\n"


def test_no_clear_winner_is_recorded_too(project):
    record(project, comparison(BAD))
    assert "compare: no clear winner" in audit()


def test_a_store_that_cannot_be_written_is_told(project, tmp_path):
    (tmp_path / "file").write_text("")
    assert "is not in the audit trail" in record(project, comparison(GOOD), tmp_path / "file")
