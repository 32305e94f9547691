"""Which files changed together, by a real history."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.git import GitError
from gateline.session.context.cochange import Together
from gateline.session.context.setup import retrieval_of
from gateline.session.workspace.git import Git
from support.repositories import Repository

CART = "def total(prices):\n    return sum(prices)\n"
ODD = "a b\tc\u00e9.py"


@pytest.fixture
def history(repository: Repository) -> Repository:
    repository.commit("begin", **{"cart.py": CART, "rates.toml": "[vat]\nfull = 20\n", "other.py": "x = 1\n"})
    for number in range(3):
        changed = {"cart.py": f"{CART}# {number}\n", "rates.toml": f"[vat]\nfull = {number}\n"}
        repository.commit(f"rate {number}", **changed)
    repository.commit("other", **{"other.py": "x = 2\n"})
    return repository


def git(repository: Repository, below: str = "") -> Git:
    found = Git.find(repository.folder / below)
    assert found is not None
    return found


def test_files_that_change_together_are_known(history: Repository) -> None:
    assert Together(git(history)).of("cart.py") == {"rates.toml": 0.8, "other.py": 0.2}


def test_a_new_commit_is_seen(history: Repository) -> None:
    together = Together(git(history))
    together.of("other.py")
    history.commit("both", **{"other.py": "x = 3\n", ODD: "y = 1\n"})
    assert together.of("other.py")[ODD] == 0.25
    assert together.of(ODD) == {"other.py": 0.5}


def test_paths_are_those_below_the_folder(repository: Repository) -> None:
    repository.commit("begin", **{"app/cart.py": CART, "app/rates.toml": "", "elsewhere.py": ""})
    assert Together(git(repository, "app")).of("cart.py") == {"rates.toml": 0.5}


def test_what_cannot_be_known_is_nothing(repository: Repository, history: Repository) -> None:
    assert Together(None).of("cart.py") == {}
    assert Together(git(history)).of("missing.py") == {}
    assert Together(git(history)).of("*.py") == {}, "a name, not a pattern"


def test_without_a_commit_nothing_changed(repository: Repository) -> None:
    assert Together(git(repository)).of("cart.py") == {}


def test_a_history_that_takes_too_long_is_left_alone(
    history: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> list[list[str]]:
        raise GitError("git rev-list took longer than 1 s")

    found = git(history)
    monkeypatch.setattr(found, "commits_of", late)
    assert Together(found).of("cart.py") == {}


def test_nothing_of_a_hostile_configuration_runs(history: Repository, tmp_path: Path) -> None:
    canary = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {canary}\ncat\n")
    program.chmod(0o755)
    history.git("config", "log.showSignature", "true")
    for name in ("gpg.program", "diff.external", "diff.odd.textconv", "core.fsmonitor", "core.pager"):
        history.git("config", name, str(program))
    (history.folder / ".git" / "info" / "attributes").write_text("* diff=odd\n")
    assert Together(git(history)).of("cart.py")
    assert not canary.exists()


def test_a_place_has_what_changes_with_it(history: Repository) -> None:
    found = retrieval_of(history.folder, {})
    found.refresh()
    answer = found.for_position("cart.py", 0, 4000)
    (rates,) = [passage for passage in answer.passages if passage.path == "rates.toml"]
    assert "changes together with cart.py" in rates.why
