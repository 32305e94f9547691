"""The branch that is checked out, for a command that knows nothing yet but a folder."""

from __future__ import annotations

from pathlib import Path

from gateline.git import GitError, run, text


def branch_at(root: Path) -> str:
    """The short name; empty without git, and for a commit that no branch has. Blocks."""
    try:
        return text(run(root, "symbolic-ref", "--quiet", "--short", "HEAD")).rstrip("\n")
    except GitError:
        return ""
