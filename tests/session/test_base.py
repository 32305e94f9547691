"""Which commit is the base, and what is said when it cannot be found."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateline.session.base import EMPTY_TREE, SESSION, Base, refs_signature, resolve
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.git import Git
from repositories import Repository


def base_of(repository: Repository, setting: str | None = None) -> Base:
    return resolve(Git.find(repository.folder), setting)


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
