"""What is asked of a commit, and that nothing of it or after it is seen."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from gateline.context.search import Ranker
from gateline.session.context.data import shipped_weights
from gateline_dev.bench.environments import UnavailableError
from gateline_dev.retrieval import commits
from gateline_dev.retrieval.histories import Commit, History
from support.repositories import Repository

CART = "def total(prices):\n    return sum(prices)\n\n\ndef unrelated():\n    return 1\n"
TEST = "from cart import total\n\n\ndef test_total():\n    assert total([1]) == 1\n"
RATES = "[vat]\nfull = 20\n"


def changed(repository: Repository, files: Mapping[str, str]) -> None:
    repository.commit("change", **files)


@pytest.fixture
def history(repository: Repository) -> History:
    changed(repository, {"cart.py": CART, "test_cart.py": TEST, "rates.toml": RATES, "other.py": "x = 1\n"})
    changed(repository, {"cart.py": CART + "# one\n", "rates.toml": RATES.replace("20", "21")})
    changed(repository, {"other.py": "x = 2\n"})
    target = {"cart.py": CART.replace("sum(prices)", "sum(prices) * 2"), "test_cart.py": TEST + "# new\n"}
    changed(repository, target)
    changed(repository, {"cart.py": CART, "other.py": "x = 3\n"})
    return History(repository.folder)


def test_commits_of_several_files_are_read_the_oldest_first(history: History) -> None:
    files = [commit.files for commit in history.commits(9)]
    assert files == [("cart.py", "rates.toml"), ("cart.py", "test_cart.py"), ("cart.py", "other.py")]
    assert len(history.commits(2)) == 2


def test_the_lines_are_those_of_the_parent(history: History) -> None:
    first, second, _ = history.commits(9)
    assert history.lines_changed(first, "cart.py") == [5]
    assert history.lines_changed(second, "cart.py") == [1, 6]


def asked(history: History, number: int) -> commits.Task:
    found: Commit = history.commits(9)[number]
    history.commits = lambda most, among=0: [found]  # type: ignore[method-assign]
    (task,) = commits.tasks(history, 1, Ranker(shipped_weights()))
    return task


def test_the_code_is_given_and_the_other_files_are_wanted(history: History) -> None:
    task = asked(history, 1)
    assert (task.given, task.wanted) == ("cart.py", {"test_cart.py"})
    assert task.view.chunk(task.places[0][0]).name in ("total", "cart")
    assert "* 2" not in task.text


def test_nothing_is_known_of_the_commit_or_of_later_ones(history: History) -> None:
    task = asked(history, 1)
    assert set(task.together) == {"rates.toml", "test_cart.py", "other.py"}
    assert task.together["rates.toml"] > task.together["test_cart.py"] == task.together["other.py"]
    assert task.view.files["test_cart.py"].digest == asked(history, 0).view.files["test_cart.py"].digest


def test_the_share_of_the_files_that_are_found(history: History) -> None:
    found = commits.recalls(asked(history, 1), Ranker(shipped_weights()))
    assert found == dict.fromkeys(commits.SYSTEMS, 1.0)
    assert commits.means([found, dict.fromkeys(commits.SYSTEMS, 0.0)]) == dict.fromkeys(commits.SYSTEMS, 0.5)


def test_a_folder_without_a_history_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="is no git repository: clone one"):
        History(tmp_path / "nothing")
