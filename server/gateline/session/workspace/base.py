"""The base: the committed state that a change is measured against (specification, section 1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from gateline.session.errors import UndecidedError, UsageError
from gateline.session.workspace.git import Git

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
SESSION = "session"
_DEFAULT_NAMES = ("main", "master", "develop")


@dataclass(frozen=True, slots=True)
class Base:
    """A tree to compare with, and how it was found."""

    commit: str
    """A commit's or tree's full name; `session` without git."""
    label: str
    doubt: str = ""
    """Why an empty change against it does not mean that nothing changed; empty when it does."""


@dataclass(frozen=True, slots=True)
class Found:
    """A base, and the state of the refs that it was found in."""

    signature: tuple[tuple[str, int, int], ...]
    base: Base


def resolve(git: Git | None, setting: str | None) -> Base:
    """The base of the work tree.

    Raises:
        UsageError: the setting names nothing.
        UndecidedError: the history or the branch needed to find the merge-base is not there.

    """
    if git is None:
        return _without_git(setting)
    head = git.commit("HEAD")
    if head is None:
        return Base(EMPTY_TREE, "unborn branch: every file is new")
    if setting:
        return _named(git, setting)
    return _default(git, head)


def resolve_fallback(git: Git | None, setting: str) -> Base:
    """The base that the work tree's own setting names, where no default branch has one.

    The change itself may have written it: HEAD by another name leaves nothing to judge.
    Raises UsageError.
    """
    base = resolve(git, setting)
    if git is None or base.commit != git.commit("HEAD"):
        return base
    branch = _branch(git)
    if branch is not None and branch == setting.removeprefix("origin/") and not git.is_shallow():
        return base
    why = f"the setting base ({setting}) resolves to HEAD, and no default branch was found to confirm it"
    return replace(base, doubt=f"{why}; {_advice(git)}")


def _without_git(setting: str | None) -> Base:
    if setting:
        raise UsageError(f"base {setting!r} needs a git repository, and there is none here; remove the base")
    return Base(SESSION, "no git: the content when the session started")


def _named(git: Git, ref: str) -> Base:
    commit = git.commit(ref)
    if commit is None:
        raise UsageError(f"base {ref!r} names no commit here; see `git branch --all`, or fetch it first")
    shared = git.line("merge-base", "HEAD", commit)
    if shared is None:
        why = "the clone is shallow: no merge-base" if git.is_shallow() else "no history in common with HEAD"
        return Base(commit, f"{ref} ({why})")
    return Base(shared, ref if shared == commit else f"merge-base with {ref}")


def _default(git: Git, head: str) -> Base:
    """The merge-base with the default branch; HEAD when that is checked out."""
    branch = _branch(git)
    candidates = _default_branches(git)
    if branch is not None and any(branch in (ref, ref.partition("/")[2]) for ref in candidates):
        return _of_head(git, head, f"HEAD of the default branch {branch}")
    if candidates:
        return _nearest(git, candidates, head)
    is_alone = branch is not None and git.branches() == [f"refs/heads/{branch}"] and not git.remotes()
    if is_alone and not git.is_shallow():
        return Base(head, f"HEAD of {branch}, the only branch")
    raise UndecidedError(f"there is no base: {_where(git, branch)}; {_advice(git)}")


def _branch(git: Git) -> str | None:
    """The branch that is checked out; None when HEAD is detached."""
    return git.line("symbolic-ref", "--quiet", "--short", "HEAD")


def _default_branches(git: Git) -> list[str]:
    """The refs that may be the default branch: what the remote says, else those with the usual names."""
    if upstream := _upstream(git, "origin"):
        return [upstream]
    if usual := _there(git, _DEFAULT_NAMES):
        return usual
    if others := list(filter(None, (_upstream(git, name) for name in git.remotes()))):
        return others
    configured = git.setting("init.defaultBranch")
    return _there(git, [configured]) if configured else []


def _upstream(git: Git, remote: str) -> str | None:
    ref = git.line("symbolic-ref", "--quiet", "--short", f"refs/remotes/{remote}/HEAD")
    return ref if ref is not None and git.commit(ref) is not None else None


def _there(git: Git, names: Iterable[str]) -> list[str]:
    refs = [ref for name in names for ref in (f"origin/{name}", name)]
    return [ref for ref, is_there in zip(refs, git.are_commits(refs), strict=True) if is_there]


def _of_head(git: Git, head: str, label: str) -> Base:
    if not git.is_shallow():
        return Base(head, label)
    return Base(head, f"{label} (shallow clone)", f"{_SHALLOW}; {_OTHER_BASE}")


_SHALLOW = "the clone is shallow, so what was committed before HEAD cannot be judged"
_OTHER_BASE = "run `git fetch --unshallow` and give the commit to compare with, as in `--base HEAD~1`"


def _where(git: Git, branch: str | None) -> str:
    head = "HEAD is detached" if branch is None else f"HEAD is the branch {branch}"
    cut = "the clone is shallow, " if git.is_shallow() else ""
    return f"{cut}{head}, and no default branch (origin/HEAD, {', '.join(_DEFAULT_NAMES)}) is here"


def _advice(git: Git) -> str:
    """The command that brings what is missing."""
    remotes = git.remotes()
    if not remotes:
        return "give the branch or commit to compare with, as in `--base REF`"
    unshallow = "--unshallow " if git.is_shallow() else ""
    name = "origin" if "origin" in remotes else remotes[0]
    fetch = f"git fetch {unshallow}{name} main:refs/remotes/origin/main"
    return f"run `{fetch}` (or with the default branch's own name), or give `--base REF`"


def _nearest(git: Git, candidates: list[str], head: str) -> Base:
    found: list[tuple[int, int, str, str]] = []
    for order, ref in enumerate(candidates):
        shared = git.line("merge-base", "HEAD", ref)
        if shared is not None:
            distance = int(git.line("rev-list", "--count", f"{shared}..HEAD") or 0)
            found.append((distance, order, shared, ref))
    if not found:
        name = candidates[0]
        if git.is_shallow():
            raise UndecidedError(
                f"no merge-base of HEAD and {name}: the clone is shallow; "
                "run `git fetch --unshallow`, or give `--base REF`"
            )
        raise UndecidedError(
            f"no merge-base of HEAD and {name}: they have no history in common; give `--base REF`"
        )
    _, _, shared, ref = min(found)
    label = f"merge-base with {ref}"
    return _of_head(git, head, label) if shared == head else Base(shared, label)


def refs_signature(git_dir: Path) -> tuple[tuple[str, int, int], ...]:
    """Changes whenever HEAD or a ref moved; costs a few file times, no process."""
    common = git_dir.parent.parent if git_dir.parent.name == "worktrees" else git_dir
    refs = [*sorted((common / "refs").rglob("*")), *sorted((common / "reftable").glob("*"))]
    files = [git_dir / "HEAD", common / "packed-refs", common / "shallow", *refs]
    return tuple(_stamp(file) for file in files)


def _stamp(file: Path) -> tuple[str, int, int]:
    try:
        status = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), status.st_mtime_ns, status.st_size
