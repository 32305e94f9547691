"""What an editor offers to compare: branches, stash entries and work trees, whatever they are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.session.compare.listed import candidates
from gateline.session.tasks.recording.journal import Journal
from gateline.session.workspace.git import Git
from gateline.settings import Settings
from support.repositories import Repository


@pytest.mark.parametrize(
    "subject", ["Median", "", "two\tcolumns", "a\x0cpage", "one\u2028other", "<b>bold</b>"]
)
def test_each_is_offered_once(repository: Repository, tmp_path: Path, subject: str) -> None:
    repository.git("config", "user.name", "Test")
    repository.git("config", "user.email", "test@example.com")
    repository.commit("base", **{"a.py": "A = 1\n"})
    repository.git("checkout", "-q", "-b", "good")
    repository.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", subject)
    repository.write("a.py", "A = 2\n")
    repository.git("stash", "push", "-q", "-m", "kept")
    other = tmp_path / "an other"
    repository.git("worktree", "add", "-q", str(other), "main")

    folder = repository.folder
    found = candidates(Journal(folder, Settings(), Git.find(folder), folder=tmp_path / "state"))
    told = {(one.name, one.kind): (one.detail, one.current) for one in found}
    assert len(told) == len(found)
    assert told == {
        ("good", "branch"): (subject, True),
        ("main", "branch"): ("base", False),
        ("stash@{0}", "stash entry"): ("On good: kept", False),
        (str(other), "folder"): ("main", False),
    }
