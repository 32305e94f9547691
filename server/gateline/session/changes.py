"""Collects the change: every Python file that differs from the base, and what else says how it is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from gateline.integrity.places import is_watched
from gateline.model import Change, Document, FileChange, FileStatus
from gateline.session import reading, renames
from gateline.session.base import SESSION, Base
from gateline.session.excluding import excluding
from gateline.session.git import Entry, Git
from gateline.session.listing import Listing
from gateline.session.reading import Skipped
from gateline.session.selection import Selection as Selection

EVERYTHING = "nothing: every file counts as new"
"""The label of no base at all."""


@dataclass(frozen=True)
class Collector:
    """Reads both sides of a change. All methods block: call them in a thread."""

    root: Path
    git: Git | None
    max_size: int
    exclude: tuple[str, ...] = ()

    def collect(self, base: Base, selection: Selection) -> Change:
        """The change of the files on disk (or in the index) against `base`."""
        if selection.all:
            files = [self._added(path) for path in self.project_files()]
        elif self.git is None:
            files = []
        else:
            files = self._against(self.git, base, staged=selection.staged)
        kept = [f for f in files if f is not None and _selected(f.path, selection.paths)]
        kept.sort(key=lambda f: f.path)
        label = EVERYTHING if selection.all else base.label
        ours = tuple(f for f in kept if reading.is_python(f.path))
        others = tuple(f for f in kept if not reading.is_python(f.path) and not f.skipped)
        return Change(base.commit, label, ours, others=others)

    def project_files(self) -> list[str]:
        """All Python files that are not ignored or excluded, sorted."""
        return [name for name in self.files(reading.is_python) if (self.root / name).is_file()]

    def files(self, wanted: Callable[[str], bool]) -> list[str]:
        """All paths that are wanted, not ignored and not excluded, sorted. git may name one that is gone."""
        return Listing(self.root, self.git, self.exclude).files(wanted)

    def is_ours(self, path: str) -> bool:
        """Python, and not excluded."""
        return reading.is_python(path) and not self.is_out(path)

    def is_seen(self, path: str) -> bool:
        """Whether a change tells of the file: it is ours, or says how ours are judged."""
        return self.is_ours(path) or (is_watched(path) and not self.is_out(path))

    def base_texts(self, base: Base, paths: list[str]) -> dict[str, Document]:
        """The documents of the base at these paths, as far as it has them and they can be decoded."""
        if self.git is None or base.commit == SESSION:
            return {}
        blobs = self.git.blobs(f"{base.commit}:./{path}" for path in paths)
        decoded = (self._decoded(p, blobs.get(f"{base.commit}:./{p}")) for p in paths)
        return {d.path: d for d in decoded if isinstance(d, Document)}

    def index_texts(self) -> dict[str, str | None]:
        """What to lay over the disk so that it reads like the index: staged texts, nothing untracked."""
        if self.git is None:
            return {}
        entries = [e for e in self.git.unstaged() if self.is_ours(e.path)]
        blobs = self.git.blobs(e.base for e in entries if e.base)
        staged = ((e.path, self._decoded(e.path, blobs.get(e.base))) for e in entries)
        laid: dict[str, str | None] = {p: d.text for p, d in staged if isinstance(d, Document)}
        return laid | {path: None for path in self.git.untracked() if self.is_ours(path)}

    @property
    def is_out(self) -> Callable[[str], bool]:
        """Tells of a path whether it is excluded; that of a folder ends with a slash."""
        return excluding(self.exclude, always=True)

    def _added(self, path: str) -> FileChange | None:
        return _file_change(path, None, reading.read(self.root, path, self.max_size))

    def _against(self, git: Git, base: Base, *, staged: bool) -> list[FileChange | None]:
        entries = [e for e in git.differing(base.commit, staged=staged) if self.is_seen(e.path)]
        if not staged:
            listed = {e.path for e in entries}
            entries += [Entry(p, "", "") for p in git.untracked() if self.is_seen(p) and p not in listed]
        blobs = git.blobs(
            [e.base for e in entries if e.base] + [e.current for e in entries if e.current and staged]
        )
        sides = {e.path: self._sides(e, blobs, staged=staged) for e in entries}
        python = {path: both for path, both in sides.items() if reading.is_python(path)}
        others = {path: both for path, both in sides.items() if path not in python}
        return [*_with_renames(python), *_with_renames(others)]

    def _sides(self, entry: Entry, blobs: Mapping[str, bytes], *, staged: bool) -> tuple[_Side, _Side]:
        base = self._decoded(entry.path, blobs.get(entry.base))
        if staged:
            return base, self._decoded(entry.path, blobs.get(entry.current))
        return base, reading.read(self.root, entry.path, self.max_size)

    def _decoded(self, path: str, data: bytes | None) -> _Side:
        return None if data is None else reading.decode(path, data, self.max_size)


_Side = Document | Skipped | None


def _with_renames(sides: Mapping[str, tuple[_Side, _Side]]) -> list[FileChange | None]:
    gone = {p: b.text for p, (b, c) in sides.items() if c is None and isinstance(b, Document)}
    come = {p: c.text for p, (b, c) in sides.items() if b is None and isinstance(c, Document)}
    paired = renames.pair(gone, come)
    taken = set(paired.values())
    return [
        _file_change(path, sides[paired[path]][0] if path in paired else base, current)
        for path, (base, current) in sides.items()
        if path not in taken
    ]


def _file_change(path: str, base: _Side, current: _Side) -> FileChange | None:
    """One row of the change; None when both sides are equal or absent."""
    if isinstance(current, Skipped):
        return FileChange(path, FileStatus.MODIFIED, None, None, current.reason)
    was = base if isinstance(base, Document) else None
    if current is None:
        return None if base is None else FileChange(path, FileStatus.DELETED, was, None)
    if was is None:
        return FileChange(path, FileStatus.ADDED, None, current)
    if was.path != path:
        return FileChange(path, FileStatus.RENAMED, was, current)
    return None if was.digest == current.digest else FileChange(path, FileStatus.MODIFIED, was, current)


def overlay(change: Change, bases: Mapping[str, Document], buffers: Mapping[str, Document]) -> Change:
    """The change with open buffers laid over it; `bases` holds the base of each buffer that has one."""
    files = {f.path: f for f in change.files if f.path not in buffers}
    before = {f.path: f for f in change.files}
    for path, buffer in buffers.items():
        row = before.get(path)
        base = row.base if row is not None and row.base is not None else bases.get(path)
        changed = _file_change(path, base, Document(path, buffer.text, None, buffer.digest))
        if changed is not None:
            files[path] = changed
    ordered = tuple(files[path] for path in sorted(files))
    return replace(change, files=ordered)


def is_empty(change: Change) -> bool:
    """Whether nothing at all differs from the base."""
    return not (change.files or change.others)


def _selected(path: str, wanted: tuple[str, ...]) -> bool:
    if not wanted:
        return True
    parts = PurePosixPath(path)
    return any(w in ("", ".") or parts.is_relative_to(w) for w in wanted)
