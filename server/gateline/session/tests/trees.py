"""The files of another tree, beside those on disk: what is laid over them so that tests see that tree.

All files, not only those that are analysed: a test may read any of them. What git keeps in another form
than it lies on disk (a file of LFS, one with a content filter, a submodule) cannot be laid, and is named.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from gateline.model import Change
from gateline.services.tests.overlay import LINK, Blob, Content
from gateline.session.tests.selecting import base_of
from gateline.session.workspace.base import SESSION
from gateline.session.workspace.excluding import excluding
from gateline.session.workspace.git import Git, Record

_PLAIN, _SUBMODULE, _ABSENT = "100644", "160000", "000000"
_POINTER = re.compile(rb"version https://git-lfs\.github\.com/spec/v1\n(?:.*\n)*?oid sha256:([0-9a-f]{64})\n")
"""What git keeps of a file whose content is elsewhere."""
_CONVERTING = ("filter", "working-tree-encoding")
"""Attributes of files that git changes between the object and the disk."""
_ENVIRONMENT = ("/pyvenv.cfg", "/conda-meta/history")
"""Files that stand in an environment of Python, and in nothing else."""


@dataclass(frozen=True, slots=True)
class Tree:
    """What has to be laid over the disk so that it reads like another tree."""

    files: Mapping[str, Content] = field(default_factory=lambda: MappingProxyType({}))
    """By path: its bytes there, or None where it has no such file."""
    unlaid: tuple[str, ...] = ()
    """What is another one there and cannot be laid, each with the reason."""
    gone: frozenset[str] = frozenset()
    """Paths that it has and the disk has not."""


def tree_of_base(git: Git | None, root: Path, change: Change) -> Tree:
    """The base of a change, beside the disk. Blocks. Raises GitError."""
    if git is None or change.base == SESSION:
        return Tree(base_of(change))
    return _laid(git, root, "diff-index", change.base)


def tree_of_index(git: Git, root: Path) -> Tree:
    """The index, beside the disk. Blocks. Raises GitError."""
    return _laid(git, root, "diff-files")


def _laid(git: Git, root: Path, *options: str) -> Tree:
    """Options: what tells of the tree first and then of the disk. What git does not track is in no tree."""
    records = _records(git, *options)
    blobs = git.blobs(r.old for r in records if r.old and r.old_mode != _SUBMODULE)
    untracked = git.untracked()
    is_tool = _of_tools(untracked)
    files: dict[str, Content] = {path: None for path in untracked if not is_tool(path)}
    unlaid = []
    converted = git.attributes(_CONVERTING, [r.path for r in records]) if records else {}
    for record in records:
        data = blobs.get(record.old)
        reason = _hindrance(root, record, data, is_converted=record.path in converted)
        if reason:
            unlaid.append(f"{record.path}: {reason}")
        elif record.old_mode == _ABSENT:
            files[record.path] = None
        elif data is not None and not _is_on_disk(root, record, data):
            files[record.path] = data if record.old_mode == _PLAIN else Blob(data, record.old_mode)
    gone = frozenset(r.path for r in records if r.new_mode == _ABSENT and not (root / r.path).exists())
    return Tree(MappingProxyType(files), (*unlaid, *_outside(git, root, *options)), gone)


def _records(git: Git, command: str, tree: str = "") -> list[Record]:
    """With the files that `git update-index --assume-unchanged` hides from git: tests see what is in them."""
    told = git.records(command, *filter(None, (tree,)))
    known = {record.path for record in told}
    hidden = ((path, mode) for path, mode in git.unwatched().items() if path not in known)
    also = [Record(path, mode, mode, f"{tree}:./{path}", "") for path, mode in hidden if mode != _SUBMODULE]
    return [*told, *also]


def _outside(git: Git, root: Path, *options: str) -> Iterator[str]:
    """What differs above the project's folder in the repository: tests may read it, nothing is laid there."""
    records = [record for record in git.records_outside(*options) if record.old != record.new]
    blobs = git.blobs(record.old for record in records if record.old)
    differing = (r.path for r in records if not (r.old in blobs and _is_on_disk(root, r, blobs[r.old])))
    untracked = git.untracked_outside()
    is_tool = _of_tools(untracked)
    others = [*differing, *(path for path in untracked if not is_tool(path))]
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        yield f"{others[0]}{more}: outside of the project's folder"


def _of_tools(untracked: Iterable[str]) -> Callable[[str], bool]:
    """Tells files of an environment, and what tools make: no tree has them, and all need them."""
    environments = tuple(
        path[: -len(mark)] + "/" for path in untracked for mark in _ENVIRONMENT if path.endswith(mark)
    )
    is_out = excluding((), always=True)
    return lambda path: path.startswith(environments) or is_out(path)


def _hindrance(root: Path, record: Record, data: bytes | None, *, is_converted: bool) -> str:
    """Why the tree's file cannot be laid; empty when it can, or need not be."""
    if _SUBMODULE in (record.old_mode, record.new_mode):
        return "" if record.old == record.new else "a submodule"
    if record.old_mode == _ABSENT:
        return ""
    if data is None:
        return "its content is not in this clone"
    if is_converted and not _is_as_git_keeps_it(root / record.path, data):
        return "git keeps it in another form than on disk (a filter, as of LFS)"
    return ""


def _is_as_git_keeps_it(file: Path, data: bytes) -> bool:
    """Whether a file with a content filter lies on disk in git's own form, or is what a pointer names."""
    pointer = _POINTER.match(data)
    try:
        there = file.read_bytes()
    except OSError:
        return False
    if pointer is None:
        return there == data
    return bool(_POINTER.match(there)) or hashlib.sha256(there).hexdigest().encode() == pointer[1]


def _is_on_disk(root: Path, record: Record, data: bytes) -> bool:
    """Whether the file is as in the tree, whatever its time."""
    file = root / record.path
    try:
        if file.is_symlink():
            return record.old_mode == LINK and str(file.readlink()).encode(errors="surrogateescape") == data
        if record.old_mode == LINK or record.old_mode != record.new_mode:
            return False
        there = file.read_bytes()
    except OSError:
        return False
    pointer = _POINTER.match(data)
    if pointer is not None and hashlib.sha256(there).hexdigest().encode() == pointer[1]:
        return True
    return there == data
