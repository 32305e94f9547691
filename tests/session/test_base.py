"""Which commit is the base, and what is said when it cannot be found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gateline.session.errors import UndecidedError, UsageError
from gateline.session.workspace.base import (
    EMPTY_TREE,
    SESSION,
    Base,
    refs_signature,
    resolve,
    resolve_fallback,
)
from gateline.session.workspace.git import Git
from support.repositories import Repository


def base_of(repository: Repository, setting: str | None = None) -> Base:
    return resolve(Git.find(repository.folder), setting)


def cloned(repository: Repository, tmp_path: Path, *options: str) -> Repository:
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", *options, repository.folder.as_uri(), str(clone))
    return Repository(clone)


def checked_out(repository: Repository, tmp_path: Path, depth: str, there: str, here: str) -> Repository:
    """What the checkout of CI makes: a fetched ref, and HEAD detached at it."""
    (tmp_path / "ci").mkdir()
    ci = Repository(tmp_path / "ci")
    ci.git("init", "--quiet")
    ci.git("remote", "add", "origin", repository.folder.as_uri())
    ci.git("fetch", "--quiet", "--no-tags", depth, "origin", f"+{there}:{here}")
    ci.git("checkout", "--quiet", "--force", here)
    return ci


def command_in(message: str) -> list[str]:
    """The arguments of the command that a message advises."""
    return re.findall(r"`git ([^`]+)`", message)[0].split()


def test_on_the_default_branch_the_base_is_head(repository: Repository) -> None:
    commit = repository.commit()
    assert base_of(repository) == Base(commit, "HEAD of the default branch main")


def test_on_another_branch_it_is_the_merge_base(repository: Repository) -> None:
    shared = repository.commit("shared")
    repository.git("switch", "--quiet", "--create", "feature")
    repository.commit("mine")
    repository.git("switch", "--quiet", "main")
    repository.commit("theirs")
    repository.git("switch", "--quiet", "feature")
    assert base_of(repository) == Base(shared, "merge-base with main")


def test_of_several_default_branches_the_nearest_counts(repository: Repository) -> None:
    repository.commit("root")
    repository.git("switch", "--quiet", "--create", "develop")
    nearest = repository.commit("developed")
    repository.git("switch", "--quiet", "--create", "feature")
    repository.commit("mine")
    assert base_of(repository) == Base(nearest, "merge-base with develop")


def test_the_upstreams_default_branch_comes_first(repository: Repository, tmp_path: Path) -> None:
    shared = repository.commit("shared")
    repository.git("branch", "--move", "trunk")
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", str(repository.folder), str(clone))
    cloned = Repository(clone)
    cloned.git("switch", "--quiet", "--create", "feature")
    cloned.commit("mine")
    assert base_of(cloned) == Base(shared, "merge-base with origin/trunk")


def test_a_setting_names_the_base(repository: Repository) -> None:
    first = repository.commit("first")
    repository.commit("second")
    assert base_of(repository, first).commit == first


def test_a_setting_that_names_nothing_is_told(repository: Repository) -> None:
    repository.commit()
    with pytest.raises(UsageError, match=r"base 'nowhere' names no commit here; see `git branch --all`"):
        base_of(repository, "nowhere")


def test_a_setting_cannot_be_an_option_of_git(repository: Repository) -> None:
    repository.commit()
    with pytest.raises(UsageError, match="names no commit"):
        base_of(repository, "--output=stolen")
    assert not (repository.folder / "stolen").exists()


def test_on_an_unborn_branch_everything_is_new(repository: Repository) -> None:
    assert base_of(repository).commit == EMPTY_TREE


def test_on_a_detached_head_the_default_branch_still_counts(repository: Repository) -> None:
    shared = repository.commit("shared")
    repository.git("switch", "--quiet", "--detach")
    repository.commit("mine")
    assert base_of(repository) == Base(shared, "merge-base with main")


def test_a_shallow_clone_without_the_merge_base_is_undecided(repository: Repository, tmp_path: Path) -> None:
    repository.commit("root")
    repository.git("switch", "--quiet", "--create", "feature")
    repository.commit("mine")
    repository.git("switch", "--quiet", "main")
    repository.commit("theirs")
    clone = tmp_path / "clone"
    address = repository.folder.as_uri()
    repository.git(
        "clone", "--quiet", "--depth=1", "--no-single-branch", "--branch=feature", address, str(clone)
    )
    with pytest.raises(UndecidedError, match=r"the clone is shallow; run `git fetch --unshallow`"):
        base_of(Repository(clone))


def test_a_shallow_clone_with_the_merge_base_is_judged(repository: Repository, tmp_path: Path) -> None:
    repository.commit("root")
    shared = repository.commit("shared")
    repository.git("switch", "--quiet", "--create", "feature")
    repository.commit("mine")
    repository.git("switch", "--quiet", "main")
    clone = cloned(repository, tmp_path, "--depth=2", "--no-single-branch", "--branch=feature")
    assert base_of(clone) == Base(shared, "merge-base with origin/main")


@pytest.mark.parametrize("cut", ["--depth=1", "--single-branch"])
def test_a_clone_of_another_branch_alone_has_no_base_until_it_is_mended(
    repository: Repository, tmp_path: Path, cut: str
) -> None:
    shared = repository.commit("shared")
    repository.git("switch", "--quiet", "--create", "feature")
    repository.commit("mine")
    repository.git("switch", "--quiet", "main")
    clone = cloned(repository, tmp_path, cut, "--branch=feature")
    with pytest.raises(UndecidedError, match=r"no default branch .* is here; run `git fetch") as told:
        base_of(clone)
    clone.git(*command_in(str(told.value)))
    assert base_of(clone) == Base(shared, "merge-base with origin/main")


@pytest.mark.parametrize("depth", [1, 2])
def test_what_ci_makes_of_a_pull_request_has_no_base_until_it_is_mended(
    repository: Repository, tmp_path: Path, depth: int
) -> None:
    repository.commit("shared")
    repository.git("switch", "--quiet", "--create", "feature")
    repository.commit("mine", **{"mine.py": "a = 1\n"})
    repository.git("switch", "--quiet", "main")
    theirs = repository.commit("theirs", **{"theirs.py": "a = 1\n"})
    repository.git("switch", "--quiet", "--detach")
    repository.git("merge", "--quiet", "--no-edit", "feature")
    repository.git("update-ref", "refs/pull/1/merge", "HEAD")
    ci = checked_out(
        repository, tmp_path, f"--depth={depth}", "refs/pull/1/merge", "refs/remotes/pull/1/merge"
    )
    with pytest.raises(UndecidedError, match="the clone is shallow, HEAD is detached") as told:
        base_of(ci)
    ci.git(*command_in(str(told.value)))
    assert base_of(ci) == Base(theirs, "merge-base with origin/main")


def test_head_of_the_default_branch_is_in_doubt_where_the_clone_is_shallow(
    repository: Repository, tmp_path: Path
) -> None:
    repository.commit("root")
    head = repository.commit("pushed")
    ci = checked_out(repository, tmp_path, "--depth=1", "refs/heads/main", "refs/remotes/origin/main")
    ci.git("switch", "--quiet", "--create", "main", "origin/main")
    found = base_of(ci)
    assert (found.commit, found.label) == (head, "HEAD of the default branch main (shallow clone)")
    assert "the clone is shallow" in found.doubt and "git fetch --unshallow" in found.doubt
    assert not base_of(repository).doubt


def test_the_only_branch_of_a_shallow_clone_without_remotes_has_no_base(
    repository: Repository, tmp_path: Path
) -> None:
    """What it was cut from may have other branches: what is staged is not judged against HEAD either."""
    repository.commit("root")
    repository.git("branch", "--move", "work")
    clone = cloned(repository, tmp_path, "--depth=1")
    clone.git("remote", "remove", "origin")
    with pytest.raises(UndecidedError, match=r"shallow, HEAD is the branch work, .*`--base REF`"):
        base_of(clone)


def test_the_only_branch_of_a_repository_without_remotes_is_its_default(repository: Repository) -> None:
    repository.git("branch", "--move", "work")
    head = repository.commit()
    assert base_of(repository) == Base(head, "HEAD of work, the only branch")
    repository.git("switch", "--quiet", "--detach")
    with pytest.raises(UndecidedError, match=r"HEAD is detached, and no default branch .*`--base REF`"):
        base_of(repository)
    repository.git("switch", "--quiet", "--create", "second")
    with pytest.raises(UndecidedError, match="HEAD is the branch second, and no default branch"):
        base_of(repository)


def test_the_default_branch_that_git_is_set_to_counts(repository: Repository) -> None:
    shared = repository.commit()
    repository.git("branch", "--move", "trunk")
    repository.git("switch", "--quiet", "--create", "feature")
    repository.commit("mine")
    repository.git("config", "init.defaultBranch", "trunk")
    assert base_of(repository) == Base(shared, "merge-base with trunk")


def test_a_remote_by_another_name_tells_its_default_branch(repository: Repository, tmp_path: Path) -> None:
    head = repository.commit()
    repository.git("branch", "--move", "trunk")
    clone = cloned(repository, tmp_path, "--origin=upstream")
    assert base_of(clone) == Base(head, "HEAD of the default branch trunk")
    clone.git("switch", "--quiet", "--create", "feature")
    clone.commit("mine")
    assert base_of(clone) == Base(head, "merge-base with upstream/trunk")


def test_a_base_that_the_change_itself_sets_to_head_is_in_doubt(repository: Repository) -> None:
    repository.git("branch", "--move", "work")
    repository.commit()
    repository.git("switch", "--quiet", "--create", "other")
    git = Git.find(repository.folder)
    assert "no default branch was found to confirm it" in resolve_fallback(git, "HEAD").doubt
    assert not resolve_fallback(git, "other").doubt, "the branch that is checked out is the project's own"
    repository.commit("mine")
    assert not resolve_fallback(git, "work").doubt


def test_a_linked_work_tree_has_the_base_of_its_repository(repository: Repository, tmp_path: Path) -> None:
    shared = repository.commit("shared")
    repository.git("worktree", "add", "--quiet", "-b", "feature", str(tmp_path / "linked"))
    linked = Repository(tmp_path / "linked")
    linked.commit("mine")
    assert base_of(linked) == Base(shared, "merge-base with main")


def test_without_git_the_session_is_the_base(tmp_path: Path, quiet_git: None) -> None:
    assert Git.find(tmp_path) is None
    assert resolve(None, None).commit == SESSION
    with pytest.raises(UsageError, match="needs a git repository"):
        resolve(None, "main")


def test_the_signature_changes_with_the_refs_only(repository: Repository) -> None:
    repository.commit()
    git = Git.find(repository.folder)
    assert git is not None
    before = refs_signature(git.git_dir)
    repository.write("new.py", "x = 1\n")
    assert refs_signature(git.git_dir) == before
    repository.commit("moved")
    assert refs_signature(git.git_dir) != before
