"""What is checked out: the branch and the commit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gateline.session.workspace.base import refs_signature
from gateline.session.workspace.git import Git
from gateline.worklog.task import EventKind

Happened = tuple[EventKind, dict[str, object]]


@dataclass(frozen=True, slots=True)
class Head:
    """A branch, empty for a commit that no branch has; and a commit, empty before the first."""

    branch: str = ""
    commit: str = ""
    subject: str = ""


class Heads:
    """Looks at HEAD again only when a ref was written. Methods block."""

    def __init__(self, git: Git | None) -> None:
        self._git = git
        self._signature: object = None
        self.now = Head()

    def look(self) -> Head:
        """What is checked out now."""
        if self._git is None:
            return self.now
        signature = refs_signature(self._git.git_dir)
        if signature != self._signature:
            self._signature, self.now = signature, _head(self._git)
        return self.now


def moves(before: Head, now: Head) -> Iterator[Happened]:
    """What happened between two looks at one work tree."""
    if now.branch != before.branch:
        yield EventKind.BRANCH, {"name": now.branch or now.commit[:12]}
    elif now.commit != before.commit:
        yield EventKind.COMMIT, {"id": now.commit, "subject": now.subject}


def _head(git: Git) -> Head:
    branch = git.line("symbolic-ref", "--quiet", "--short", "HEAD") or ""
    commit, _, subject = (git.line("log", "-1", "--format=%H %s") or "").partition(" ")
    return Head(branch, commit, subject)
