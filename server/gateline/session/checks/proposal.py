"""Texts that are not written yet, laid over a change: a snapshot in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from gateline.model import Change, Document, FileChange, FileStatus
from gateline.session.checks.patching import patched
from gateline.session.errors import UsageError
from gateline.session.workspace.changes import overlay
from gateline.session.workspace.reading import Skipped, decode_other, is_python, read, too_large
from gateline.session.workspace.workspace import Workspace
from gateline.session.workspace.worktree import Worktree

MOST = 200
"""Files that a proposal may have."""
_SIZE = 8_000_000
"""Characters that all its texts may have."""
_GITS_OWN = ".git"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody thinks of writing."""

    texts: tuple[tuple[str, str | None], ...] = ()
    """Whole texts by path; None deletes the file."""
    patch: str = ""
    """A unified diff against what there is now."""

    def __bool__(self) -> bool:
        return bool(self.texts or self.patch)


def admitted(root: Path, path: str) -> str:
    """A path of the workspace as it is written here. Raises UsageError for any other.

    Links are followed: what lies behind one is no part of the workspace.
    """
    given = PurePosixPath(path)
    if not path or "\0" in path or given.is_absolute() or ".." in given.parts or "\\" in path:
        raise UsageError(f"path {path[:200]!r} is not inside the workspace; give one from its root, with `/`")
    if any(part.lower() == _GITS_OWN for part in given.parts):
        raise UsageError(f"path {path!r} belongs to git: it is not judged, and agents must not write it")
    folder = (root / given).parent
    if not folder.resolve().is_relative_to(root.resolve()) or (root / given).is_symlink():
        raise UsageError(f"path {path!r} is a symbolic link, or leads out of the workspace through one")
    return given.as_posix()


def laid_over(
    worktree: Worktree, change: Change, buffers: Mapping[str, Document], proposal: Proposal
) -> tuple[Change, dict[str, str | None]]:
    """The change as it would be, and the texts that make it so. Blocks. Raises UsageError."""
    workspace = worktree.workspace
    texts = _texts(workspace, buffers, proposal)
    ignored = workspace.git.ignored(list(texts)) if workspace.git else set()
    if ignored:
        raise UsageError(f"path {min(ignored)!r} is ignored by git, so it is not judged")
    known = {row.path: row for row in (*change.files, *change.others)}
    bases = _bases(worktree, [path for path in texts if path not in known])
    return _overlaid(change, bases, texts), texts


def _texts(
    workspace: Workspace, buffers: Mapping[str, Document], proposal: Proposal
) -> dict[str, str | None]:
    root, limit = workspace.root, workspace.collector.max_size

    def now(path: str) -> str | None:
        name = admitted(root, path)
        found = buffers.get(name) or read(root, name, limit)
        return None if found is None or isinstance(found, Skipped) else found.text

    size = sum(len(text or "") for _, text in proposal.texts) + len(proposal.patch)
    if size > _SIZE:
        raise UsageError(
            f"{size / 1e6:.1f} MB of text are too much for one check: at most {_SIZE / 1e6:g} MB"
        )
    given = {admitted(root, path): text for path, text in proposal.texts}
    made = patched(proposal.patch, lambda path: given.get(path, now(path))) if proposal.patch else {}
    texts = given | {admitted(root, path): text for path, text in made.items()}
    if len(texts) > MOST:
        raise UsageError(f"{len(texts)} files are too many for one check: at most {MOST}")
    for path, text in texts.items():
        if text is not None and (reason := too_large(len(text), limit)):
            raise UsageError(f"path {path!r}: {reason}")
    return texts


def _bases(worktree: Worktree, paths: Iterable[str]) -> dict[str, Document]:
    """What the base has at paths that have not changed."""
    listed = list(paths)
    collector, base = worktree.workspace.collector, worktree.base
    found = collector.base_texts(base, [path for path in listed if is_python(path)])
    others = [path for path in listed if not is_python(path)]
    git = worktree.workspace.git
    if git is not None and others:
        blobs = git.blobs(f"{base.commit}:./{path}" for path in others)
        decoded = (decode_other(p, b) for p in others if (b := blobs.get(f"{base.commit}:./{p}")) is not None)
        found |= {one.path: one for one in decoded if isinstance(one, Document)}
    return found


def _overlaid(change: Change, bases: Mapping[str, Document], texts: Mapping[str, str | None]) -> Change:
    python = {p: Document(p, text) for p, text in texts.items() if text is not None and is_python(p)}
    change = overlay(change, bases, python)
    files = {row.path: row for row in change.files if row.path not in texts or row.path in python}
    others = {row.path: row for row in change.others if row.path not in texts}
    before = {row.path: row.base for row in (*change.files, *change.others)}
    for path, text in texts.items():
        if path in python:
            continue
        row = _row(path, before.get(path) or bases.get(path), text)
        if row is not None:
            (files if is_python(path) else others)[path] = row
    return replace(change, files=_sorted(files), others=_sorted(others))


def _row(path: str, base: Document | None, text: str | None) -> FileChange | None:
    if text is None:
        return FileChange(path, FileStatus.DELETED, base, None) if base is not None else None
    now = Document(path, text)
    if base is not None and base.path == path and base.digest == now.digest:
        return None
    return FileChange.between(base, now)


def _sorted(rows: Mapping[str, FileChange]) -> tuple[FileChange, ...]:
    return tuple(rows[path] for path in sorted(rows))
