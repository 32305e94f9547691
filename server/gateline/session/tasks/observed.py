"""What a check saw of the work that nobody told of: the files that were written since, and the tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path

from gateline.git import GitError
from gateline.model import Evaluation
from gateline.session.tasks.recording.counted import tests_of_check
from gateline.session.workspace.git import Git
from gateline.session.workspace.workspace import Workspace
from gateline.worklog.task import CHANGING, Event, EventKind

Happened = tuple[EventKind, dict[str, object]]
_LARGE = 5_000_000
"""Bytes from which on a file is told by its size and time."""
_ECHO = timedelta(seconds=5)
"""So long after a file was written an editor may have told of it."""
_ABSENT = "absent"


def observed(
    workspace: Workspace, evaluation: Evaluation, events: Sequence[Event], earlier: Sequence[Event] = ()
) -> list[Happened]:
    """What a check adds to the `events` of its task. Blocks.

    A file was written in the task when it is not as the task saw it last; where it never did, not as the task
    before it on this branch saw it last (`earlier`), or as the commit has it at which the task began.
    """
    files = _written(workspace, _paths(evaluation), events, earlier)
    tests = tests_of_check(evaluation.tests)
    return [*files, *([(EventKind.TESTS, tests)] if tests else [])]


def _paths(evaluation: Evaluation) -> list[str]:
    return [row.path for row in (*evaluation.files, *evaluation.others)]


def _written(
    workspace: Workspace, paths: Iterable[str], events: Sequence[Event], earlier: Sequence[Event]
) -> list[Happened]:
    seen, told = _seen(events), _told(events)
    now = {path: _digest(workspace.root / path) for path in dict.fromkeys((*paths, *seen))}
    strange = [path for path in now if path not in seen]
    known = {**_committed(workspace.git, _commit(events), strange), **_seen(earlier), **seen}
    return [
        (EventKind.EXTERNAL_EDIT, {"path": path, "digest": digest})
        for path, digest in sorted(now.items())
        if known.get(path, _ABSENT) != digest and not _was_told(workspace.root / path, told.get(path))
    ]


def _seen(events: Iterable[Event]) -> dict[str, str]:
    """The newest digest of each file that a check saw."""
    return {
        event.text("path"): event.text("digest")
        for event in events
        if event.kind in CHANGING and event.text("digest")
    }


def _told(events: Iterable[Event]) -> Mapping[str, datetime]:
    """When an editor told of a file last, where no check saw it since."""
    found: dict[str, datetime] = {}
    for event in events:
        if event.kind in CHANGING:
            found.pop(event.text("path"), None)
            if not event.text("digest"):
                found[event.text("path")] = event.at
    return found


def _was_told(file: Path, at: datetime | None) -> bool:
    """Whether an editor, which told of a file at a time, told of what stands in it now."""
    try:
        return at is not None and datetime.fromtimestamp(file.stat().st_mtime, UTC) <= at + _ECHO
    except OSError:
        return False


def _commit(events: Iterable[Event]) -> str:
    """The commit at which a task began; empty where nobody noted it."""
    return next((event.text("commit") for event in events if event.kind is EventKind.STARTED), "")


def _committed(git: Git | None, commit: str, paths: Sequence[str]) -> dict[str, str]:
    """The digests of files as a commit has them."""
    if git is None or not commit or not paths:
        return {}
    try:
        blobs = git.blobs(f"{commit}:./{path}" for path in paths)
    except GitError:
        return {}
    return {path: _of(blobs[f"{commit}:./{path}"]) for path in paths if f"{commit}:./{path}" in blobs}


def _digest(file: Path) -> str:
    try:
        status = file.lstat()
        if status.st_size > _LARGE:
            return f"{status.st_size} {status.st_mtime_ns}"
        return _of(str(file.readlink()).encode()) if file.is_symlink() else _of(file.read_bytes())
    except OSError:
        return _ABSENT


def _of(data: bytes) -> str:
    # A work tree may have other line ends than the commit.
    return blake2b(data.replace(b"\r\n", b"\n"), digest_size=8).hexdigest()
