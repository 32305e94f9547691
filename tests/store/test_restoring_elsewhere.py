"""Restoring into a folder, as a branch and as a work tree: what is checked out stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.store.savepoints.values import Savepoint, SavepointError
from support.repositories import Repository
from support.savepoint_desk import HOOKS, MATRIX, Desk, hook, nested, submodule, tree_of

HERE = ("HEAD", "index", "config", "ORIG_HEAD", "logs/HEAD", "refs/heads/main", "refs/stash")
NOT_COVERED = {"debug.log", "vendor/inner/lib.py", "lib/lib.py"}
PRIVATE = {"keys/id", "keys/open"}
"""Untracked, and only their owner could read them: a branch would give them to others."""
WITHOUT_LFS = ("-c", "filter.lfs.smudge=", "-c", "filter.lfs.required=false")


def standing(desk: Desk) -> tuple[object, ...]:
    """What is checked out: no restore beside it may change any of this."""
    known = (desk.root / ".git" / name for name in HERE)
    return desk.tree(), [file.read_bytes() if file.exists() else None for file in known]


def went_on(desk: Desk, name: str) -> tuple[dict[str, str], str, Savepoint]:
    """The files, HEAD and savepoint of then, in a row of the matrix whose second half was done since."""
    before, after = MATRIX[name]
    for do in before:
        do(desk.repository)
    then = desk.tree(), desk.repository.git("rev-parse", "HEAD"), desk.take()
    for do in after:
        do(desk.repository)
    return then


# A folder


def test_a_folder_with_something_in_it_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.py").write_text("mine")
    with pytest.raises(SavepointError, match="is not empty"):
        desk.elsewhere.to_folder(desk.take(), tmp_path / "there")
    assert [file.name for file in (tmp_path / "there").iterdir()] == ["mine.py"]


@pytest.mark.parametrize("name", ["a filter", "line ends that git would change", "a link", "no branch"])
def test_a_folder_has_every_byte(desk: Desk, tmp_path: Path, name: str) -> None:
    before, _ = MATRIX[name]
    for do in before:
        do(desk.repository)
    desk.elsewhere.to_folder(desk.take(), tmp_path / "deep" / "there")
    assert tree_of(tmp_path / "deep" / "there") == desk.tree()
    assert [file.name for file in (tmp_path / "deep").iterdir()] == ["there"]


def test_a_folder_appears_whole_or_not_at_all(desk: Desk, tmp_path: Path) -> None:
    desk.repository.write("new.py", "new = 1\n")
    savepoint = desk.take()
    blob = desk.savepoints.shadow.line("rev-parse", f"{savepoint.tree}:new.py")
    (desk.savepoints.shadow.folder / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(SavepointError):
        desk.elsewhere.to_folder(savepoint, tmp_path / "there")
    assert [file.name for file in tmp_path.iterdir()] == [desk.root.name]


# A branch


@pytest.mark.parametrize("name", MATRIX)
def test_a_branch_has_what_was_there(desk: Desk, tmp_path: Path, name: str) -> None:
    """Every row of the matrix: the branch, checked out elsewhere, is what `git add --all` then would give."""
    then, head, savepoint = went_on(desk, name)
    here = standing(desk)
    commit = desk.elsewhere.to_branch(savepoint, "as-it-was")
    assert standing(desk) == here
    assert desk.repository.git("rev-parse", "as-it-was", "as-it-was~1").split() == [commit, head]
    desk.repository.git(*WITHOUT_LFS, "worktree", "add", "--quiet", str(tmp_path / "seen"), "as-it-was")
    wanted = {path: text for path, text in then.items() if path not in NOT_COVERED | PRIVATE}
    if name == "line ends that git would change":
        wanted["crlf.py"] = "a = 1\n"
    if name == "a filter":
        wanted["large.bin"] = "mixedcase\n"
    if name == "a file that is kept out by hand":
        wanted["cart.py"] = "total = 1\n"
    # What is asked here runs hooks and monitors of the repository; what was asked there did not.
    ran = {"hooked.py", "monitored.py"}
    assert {path: text for path, text in tree_of(tmp_path / "seen").items() if path not in ran} == wanted


def test_a_branch_keeps_what_the_savepoint_does_not_cover(desk: Desk) -> None:
    desk.repository.commit("large", **{"data.csv": "x" * 2000, "old.py": "old = 1\n"})
    submodule(desk.repository)
    nested(desk.repository)
    desk.repository.git("commit", "--quiet", "--message", "a submodule")
    (desk.root / "old.py").unlink()
    desk.repository.write("data.csv", "y" * 2000)
    savepoint = desk.take()
    assert {row.path for row in savepoint.uncovered} == {"data.csv", "lib", "vendor/inner"}
    desk.elsewhere.to_branch(savepoint, "as-it-was")
    differing = desk.repository.git("diff", "--name-status", "HEAD", "as-it-was").split("\n")
    assert differing == ["D\told.py"]


def test_a_branch_stands_on_what_was_checked_out_then(desk: Desk) -> None:
    desk.repository.write("cart.py", "total = 2\n")
    savepoint, then = desk.take(), desk.repository.git("rev-parse", "HEAD")
    desk.repository.commit("later", **{"cart.py": "total = 3\n"})
    desk.elsewhere.to_branch(savepoint, "as-it-was")
    assert desk.repository.git("rev-parse", "as-it-was~1") == then
    assert desk.repository.git("log", "-1", "--format=%s", "as-it-was") == "test"


def test_a_branch_before_the_first_commit(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "new")
    repository.folder.mkdir()
    repository.git("init", "--quiet")
    repository.write("cart.py", "total = 1\n")
    desk = Desk(repository, tmp_path / "state")
    desk.elsewhere.to_branch(desk.take(), "first")
    assert repository.git("ls-tree", "--name-only", "first") == "cart.py"
    with pytest.raises(SavepointError, match="no commit to base a work tree on"):
        desk.elsewhere.to_worktree(desk.take(), tmp_path / "there")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("main", "branch 'main' already exists"),
        ("a b", "'a b' is not a valid"),
        ("-x", "'-x' is not a valid"),
    ],
)
def test_a_branch_that_cannot_be_made_is_refused(desk: Desk, name: str, said: str) -> None:
    before = desk.git_dir()
    savepoint = desk.take()
    with pytest.raises(SavepointError, match=said):
        desk.elsewhere.to_branch(savepoint, name)
    assert desk.git_dir() == before


def test_without_a_repository_there_is_no_branch(tmp_path: Path) -> None:
    folder = Repository(tmp_path / "plain")
    folder.write("cart.py", "total = 1\n")
    desk = Desk(folder, tmp_path / "state")
    with pytest.raises(SavepointError, match="is not in a git repository; use --to FOLDER"):
        desk.elsewhere.to_branch(desk.take(), "x")
    with pytest.raises(SavepointError, match="use --to FOLDER"):
        desk.elsewhere.to_worktree(desk.take(), tmp_path / "there")


def test_a_branch_where_nobody_said_who_they_are(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.repository.git("config", "user.useConfigOnly", "true")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    desk.elsewhere.to_branch(desk.take(), "as-it-was")
    assert desk.repository.git("log", "-1", "--format=%an", "as-it-was") == "gateline"


# A work tree of its own


@pytest.mark.parametrize("name", MATRIX)
def test_a_work_tree_has_every_byte_and_the_commit(desk: Desk, tmp_path: Path, name: str) -> None:
    then, head, savepoint = went_on(desk, name)
    here, there = standing(desk), tmp_path / "then"
    assert desk.elsewhere.to_worktree(savepoint, there) == head
    assert standing(desk) == here
    assert tree_of(there) == {path: text for path, text in then.items() if path not in NOT_COVERED}
    assert Repository(there).git("rev-parse", "HEAD") == head


def test_a_work_tree_says_what_was_not_committed(desk: Desk, tmp_path: Path) -> None:
    desk.repository.commit("large", **{"data.csv": "x" * 2000})
    desk.repository.write("cart.py", "total = 2\n")
    desk.repository.write("new.py", "new = 1\n")
    desk.repository.write("data.csv", "y" * 2000)
    (desk.root / "shop" / "till.py").unlink()
    desk.elsewhere.to_worktree(desk.take(), tmp_path / "then")
    said = Repository(tmp_path / "then").git("status", "--porcelain").split("\n")
    assert [row.strip() for row in said] == ["M cart.py", "D shop/till.py", "?? new.py"]


def test_a_work_tree_that_cannot_be_filled_is_taken_away(desk: Desk, tmp_path: Path) -> None:
    desk.repository.write("new.py", "new = 1\n")
    savepoint = desk.take()
    blob = desk.savepoints.shadow.line("rev-parse", f"{savepoint.tree}:new.py")
    (desk.savepoints.shadow.folder / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(SavepointError):
        desk.elsewhere.to_worktree(savepoint, tmp_path / "then")
    assert [file.name for file in tmp_path.iterdir()] == [desk.root.name]
    assert len(desk.repository.git("worktree", "list").split("\n")) == 1


def test_no_hook_runs_for_a_branch_or_a_work_tree(desk: Desk, tmp_path: Path) -> None:
    for name in HOOKS:
        hook(name)(desk.repository)
    savepoint = desk.take()
    desk.elsewhere.to_branch(savepoint, "as-it-was")
    desk.elsewhere.to_worktree(savepoint, tmp_path / "then")
    assert not (desk.root / "hooked.py").exists()
    assert not (tmp_path / "then" / "hooked.py").exists()
    assert not (desk.root / ".git" / "hooked.py").exists()
