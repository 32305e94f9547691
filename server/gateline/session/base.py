"""The base: the committed state that a change is measured against (specification, section 1)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gateline.session.errors import UndecidedError, UsageError
from gateline.session.git import Git

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
SESSION = "session"
_DEFAULT_NAMES = ("main", "master", "develop")


@dataclass(frozen=True, slots=True)
class Base:
    """A tree to compare with, and how it was found."""

    commit: str
    """A commit's or tree's full name; `session` without git."""
    label: str


@dataclass(frozen=True, slots=True)
class Found:
    """A base, and the state of the refs that it was found in."""

    signature: tuple[tuple[str, int, int], ...]
    base: Base


def resolve(git: Git | None, setting: str | None) -> Base:
    """The base of the work tree.

    Raises:
        UsageError: the setting names nothing.
        UndecidedError: the history needed to find the merge-base is not there.

    """
    if git is None:
        return _without_git(setting)
    head = git.commit("HEAD")
    if head is None:
        return Base(EMPTY_TREE, "unborn branch: every file is new")
    if setting:
        return _named(git, setting)
    return _default(git, head)


def _without_git(setting: str | None) -> Base:
    if setting:
        raise UsageError(
            f"base {setting!r} needs a git repository, and there is none here; leave the base out"
        )
    return Base(SESSION, "no git: the content when the session started")


def _named(git: Git, ref: str) -> Base:
    commit = git.commit(ref)
    if commit is None:
        raise UsageError(f"base {ref!r} names no commit here; see `git branch --all`, or fetch it first")
    shared = git.line("merge-base", "HEAD", commit)
    if shared is None:
        return Base(commit, f"{ref} (no history in common with HEAD)")
    return Base(shared, ref if shared == commit else f"merge-base with {ref}")


def _default(git: Git, head: str) -> Base:
    """The merge-base with the default branch; HEAD when that is checked out, or when there is none."""
    branch = git.line("symbolic-ref", "--quiet", "--short", "HEAD")
    upstream = git.line("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    if upstream is not None and git.commit(upstream) is not None:
        candidates = [upstream]
    else:
        refs = [ref for name in _DEFAULT_NAMES for ref in (f"origin/{name}", name)]
        candidates = [ref for ref, is_there in zip(refs, git.are_commits(refs), strict=True) if is_there]
    if branch is not None and any(branch == ref.removeprefix("origin/") for ref in candidates):
        return Base(head, f"HEAD of the default branch {branch}")
    if not candidates:
        return Base(head, "HEAD (no default branch found)")
    return _nearest(git, candidates)


def _nearest(git: Git, candidates: list[str]) -> Base:
    found: list[tuple[int, int, str, str]] = []
    for order, ref in enumerate(candidates):
        shared = git.line("merge-base", "HEAD", ref)
        if shared is not None:
            distance = int(git.line("rev-list", "--count", f"{shared}..HEAD") or 0)
            found.append((distance, order, shared, ref))
    if not found:
        name = candidates[0]
        why = "the clone is shallow" if git.is_shallow() else "they have no history in common"
        raise UndecidedError(
            f"no merge-base of HEAD and {name}: {why}; run `git fetch --unshallow`, or give --base"
        )
    _, _, shared, ref = min(found)
    return Base(shared, f"merge-base with {ref}")


def refs_signature(git_dir: Path) -> tuple[tuple[str, int, int], ...]:
    """Changes whenever HEAD or a ref moved; costs a few file times, no process."""
    common = git_dir.parent.parent if git_dir.parent.name == "worktrees" else git_dir
    files = [git_dir / "HEAD", common / "packed-refs", *sorted((common / "refs").rglob("*"))]
    return tuple(_stamp(file) for file in files)


def _stamp(file: Path) -> tuple[str, int, int]:
    try:
        status = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), status.st_mtime_ns, status.st_size
