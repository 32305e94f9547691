"""What of a repository could be compared: branches, stash entries and other work trees."""

from __future__ import annotations

from pathlib import Path

from gateline.git import text
from gateline.protocol.comparisons import CandidateResult
from gateline.session.tasks.recording.journal import Journal

_MOST = 200
"""Branches, the newest first."""


def candidates(journal: Journal) -> tuple[CandidateResult, ...]:
    """What an editor offers a person. Blocks. Raises SavepointError."""
    user = journal.savepoints().shadow.user
    form = "--format=%(refname:short)%09%(HEAD)%09%(subject)"
    branches = text(user.ask("for-each-ref", f"--count={_MOST}", "--sort=-committerdate", form, "refs/heads"))
    entries = text(user.ask("stash", "list", "--format=%gd%x09%gs"))
    trees = text(user.ask("worktree", "list", "--porcelain"))
    return (*_branches(branches), *_stashed(entries), *_trees(trees, journal.savepoints().root))


def _branches(listed: str) -> list[CandidateResult]:
    rows = (line.split("\t", 2) for line in _lines(listed))
    return [
        CandidateResult(name=name, kind="branch", detail=subject, current=head == "*")
        for name, head, subject in rows
    ]


def _lines(listed: str) -> list[str]:
    """Lines as git ends them: a subject may hold what else ends one for Python."""
    return list(filter(None, listed.split("\n")))


def _stashed(listed: str) -> list[CandidateResult]:
    rows = (line.partition("\t") for line in _lines(listed))
    return [
        CandidateResult(name=name, kind="stash entry", detail=subject, current=False)
        for name, _, subject in rows
    ]


def _trees(listed: str, top: Path) -> list[CandidateResult]:
    """Work trees beside this one; what is checked out in them says their branch."""
    found = []
    for block in listed.split("\n\n"):
        facts = dict(line.partition(" ")[::2] for line in _lines(block))
        path = facts.get("worktree", "")
        if path and "prunable" not in facts and "bare" not in facts and Path(path) != top:
            branch = facts.get("branch", "").removeprefix("refs/heads/")
            found.append(CandidateResult(name=path, kind="folder", detail=branch, current=False))
    return found
