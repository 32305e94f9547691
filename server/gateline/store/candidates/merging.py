"""Three-way merges of texts and of trees."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from gateline.git import GitError, run, split
from gateline.store.savepoints.shadow import Shadow

_CLEAN, _CONFLICT = 0, 1
"""How git ends when both fit together, and when they do not."""


@dataclass(frozen=True, slots=True)
class MergedTrees:
    """Two trees in one."""

    tree: str
    """With marks of conflicts in the files of `conflicts`."""
    conflicts: tuple[str, ...] = ()
    """The files in which both change the same lines, or which one changes and the other takes away."""


def merged_trees(shadow: Shadow, base: str, ours: str, theirs: str) -> MergedTrees:
    """What leads from `base` to `theirs`, made in `ours`; all are trees. Blocks.

    Raises SavepointError, also for a git that is older than 2.38.
    """
    if theirs == base or ours == theirs:
        return MergedTrees(ours)
    if ours == base:
        return MergedTrees(theirs)
    # Not --merge-base: git knows it only since 2.40.
    parent = shadow.line("commit-tree", base, stdin=b"base")
    sides = [shadow.line("commit-tree", tree, "-p", parent, stdin=b"side") for tree in (ours, theirs)]
    how = ("merge-tree", "--write-tree", "--name-only", "--no-messages", "-z")
    tree, *conflicts = split(shadow.run(*how, *sides, ends=(_CLEAN, _CONFLICT)))
    return MergedTrees(tree, tuple(dict.fromkeys(conflicts)))


def merged(now: bytes, before: bytes, after: bytes) -> bytes | None:
    """What leads from `before` to `after`, made in `now`; None where both touch the same lines. Blocks."""
    with tempfile.TemporaryDirectory(prefix="gateline-merge-") as scratch:
        for name, data in (("now", now), ("before", before), ("after", after)):
            (Path(scratch) / name).write_bytes(data)
        try:
            return run(Path(scratch), "merge-file", "-p", "--quiet", "now", "before", "after")
        except GitError:
            return None
