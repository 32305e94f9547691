"""Collects the change: every file that differs from the base and is not ignored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from gateline.model import Change, Document, FileChange, FileStatus
from gateline.model.change import EVERYTHING as EVERYTHING
from gateline.model.change import IS_LINK, IS_REPOSITORY
from gateline.session.errors import UsageError
from gateline.session.selection import Selection as Selection
from gateline.session.workspace import reading, renames
from gateline.session.workspace.base import SESSION, Base
from gateline.session.workspace.contents import (
    ABSENT,
    LINK,
    SUBMODULE,
    Content,
    Contents,
    is_same,
)
from gateline.session.workspace.excluding import excluding
from gateline.session.workspace.git import Git, Record
from gateline.session.workspace.listing import Listing
from gateline.session.workspace.reading import Skipped


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
            files = list(self._added(self.files(lambda path: True)))
        elif self.git is None:
            files = []
        else:
            files = self._against(self.git, base, staged=selection.staged)
        kept = [f for f in files if f is not None and _selected(f.path, selection.paths)]
        kept.sort(key=lambda f: f.path)
        label = EVERYTHING if selection.all else base.label
        ours = tuple(f for f in kept if _is_judged(f))
        others = tuple(f for f in kept if not _is_judged(f))
        if not kept:
            label += _narrowed(selection)
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

    def _added(self, paths: Iterable[str]) -> Iterator[FileChange | None]:
        contents = Contents(self.root, self.git, self.max_size)
        return (_file_change(path, None, contents.on_disk(path)) for path in paths)

    def _against(self, git: Git, base: Base, *, staged: bool) -> list[FileChange | None]:
        is_out = self.is_out
        cached = ["--cached"] if staged else []
        listed = git.records("diff-index", *cached, base.commit)
        records = {r.path: r for r in listed if not is_out(r.path)}
        contents = Contents(self.root, git, self.max_size)
        contents.fetch(asked for r in records.values() for asked in _objects(r, staged=staged))
        untracked = [] if staged else sorted(path for path in git.untracked() if not is_out(path))
        # What was only taken out of the index, or came back to its place, is still there.
        records |= {path: replace(records[path], new_mode="") for path in untracked if path in records}
        sides = {path: _sides(contents, r, staged=staged) for path, r in records.items()}
        known = {r.path for r in listed}
        fresh = [path for path in untracked if path not in known]
        sides |= {path.rstrip("/"): (None, contents.on_disk(path)) for path in fresh}
        python = {path: both for path, both in sides.items() if _is_source(path, both)}
        others = {path: both for path, both in sides.items() if path not in python}
        return [*_with_renames(python), *_with_renames(others)]

    def _decoded(self, path: str, data: bytes | None) -> Document | Skipped | None:
        return None if data is None else reading.decode(path, data, self.max_size)


def narrowed(change: Change, paths: tuple[str, ...]) -> Change:
    """What of a change lies in these files or folders."""
    files, others = (
        tuple(row for row in rows if _selected(row.path, paths)) for rows in (change.files, change.others)
    )
    return replace(change, files=files, others=others)


def require_known(paths: Iterable[str], root: Path, change: Change) -> None:
    """Refuse a path that is not there: one with a typing error must not pass as one in which nothing changed.

    Raises UsageError.
    """
    changed = [PurePosixPath(row.path) for row in (*change.files, *change.others)]
    for path in paths:
        if not (root / path).exists() and not any(row.is_relative_to(path) for row in changed):
            raise UsageError(f"path {path!r} is not in {root}, and the change deletes no such file")


def _narrowed(selection: Selection) -> str:
    """What alone was looked at, where nothing was found."""
    only = [*(["the index"] if selection.staged else []), *selection.paths]
    return f" (only {', '.join(only)} {'was' if len(only) == 1 else 'were'} looked at)" if only else ""


def _is_judged(row: FileChange) -> bool:
    """Whether a row is Python; a link is judged where it leads to."""
    return reading.is_python(row.path) and not {row.skipped, row.base_skipped} & {IS_LINK, IS_REPOSITORY}


_Sides = tuple[Content | None, Content | None]


def _objects(record: Record, *, staged: bool) -> Iterator[tuple[str, str]]:
    """The path and name of each object to read."""
    sides = [(record.old_mode, record.old), *([(record.new_mode, record.new)] if staged else [])]
    yield from ((record.path, name) for mode, name in sides if name and mode not in (LINK, SUBMODULE))


def _sides(contents: Contents, record: Record, *, staged: bool) -> _Sides:
    """Both sides of a path; None twice where they are equal after all."""
    path = record.path
    base = contents.of_object(path, record.old_mode, record.old)
    if staged:
        current = contents.of_object(path, record.new_mode, record.new)
    else:
        current = contents.on_disk(path, record) if record.new_mode != ABSENT else None
    if base is None or current is None:
        return base, current
    same = is_same(base, current) or (not staged and contents.is_as_git_keeps_it(base, current))
    return (None, None) if same else (base, current)


def _is_source(path: str, both: _Sides) -> bool:
    """Whether a path is judged as Python: a link is judged where it leads to."""
    return reading.is_python(path) and not any(c and c.reason in (IS_LINK, IS_REPOSITORY) for c in both)


def _with_renames(sides: Mapping[str, _Sides]) -> list[FileChange | None]:
    gone = {p: b.key for p, (b, c) in sides.items() if c is None and b is not None and b.key}
    come = {p: c.key for p, (b, c) in sides.items() if b is None and c is not None and c.key}
    paired = renames.pair(gone, come)
    taken = set(paired.values())
    return [
        _file_change(path, sides[paired[path]][0] if path in paired else base, current)
        for path, (base, current) in sides.items()
        if path not in taken
    ]


def _file_change(path: str, base: Content | None, current: Content | None) -> FileChange | None:
    """One row of the change; None when both sides are absent, or equal."""
    if base is None and current is None:
        return None
    was = base.document if base is not None else None
    why = base.reason if base is not None else ""
    if current is None:
        return FileChange(path, FileStatus.DELETED, was, None, "", why)
    status = FileStatus.ADDED if base is None else FileStatus.MODIFIED
    if base is not None and base.path != path:
        status = FileStatus.RENAMED
    fingerprint = "" if current.document is not None else current.fingerprint
    return FileChange(path, status, was, current.document, current.reason, why, fingerprint)


def overlay(change: Change, bases: Mapping[str, Document], buffers: Mapping[str, Document]) -> Change:
    """The change with open buffers laid over it; `bases` holds the base of each buffer that has one.

    A file that was renamed on disk, and goes on under its old name in a buffer, is there twice: the base
    is that of the old name.
    """
    before = {f.path: _apart(f) if _is_moved(f.base, f.path, buffers) else f for f in change.files}
    files = {path: row for path, row in before.items() if path not in buffers}
    for path, buffer in buffers.items():
        row = before.get(path)
        base = row.base if row is not None and row.base is not None else bases.get(path)
        if _is_moved(base, path, buffers):
            base = None
        now = Document(path, buffer.text, None, buffer.digest)
        if base is None or base.digest != now.digest or base.path != path:
            files[path] = FileChange.between(base, now)
        elif row is not None and row.current is not None and row.current.digest == now.digest:
            # The text is the base's; its mode, or its bytes on disk, are not.
            files[path] = row
    files = _paired_anew(files, buffers)
    ordered = tuple(files[path] for path in sorted(files))
    return replace(change, files=ordered)


def _paired_anew(files: Mapping[str, FileChange], buffers: Mapping[str, Document]) -> dict[str, FileChange]:
    """The rows with renames by the texts as they are: a buffer may be like another file than its own is."""
    come = {path: row.current for path, row in files.items() if row.current and _is_under_new_name(row)}
    gone = {row.base.path: row.base for row in files.values() if row.base and _has_left_its_name(row)}
    if not gone or not come.keys() & buffers.keys():
        return dict(files)
    pairs = renames.pair(*({path: one.text for path, one in some.items()} for some in (gone, come)))
    rows = {path: row for path, row in files.items() if path not in come and path not in gone}
    for path, now in come.items():
        rows[path] = FileChange.between(gone[pairs[path]] if path in pairs else None, now)
    for path in gone.keys() - set(pairs.values()):
        rows[path] = FileChange.between(gone[path], None)
    return rows


def _is_under_new_name(row: FileChange) -> bool:
    return row.status in (FileStatus.ADDED, FileStatus.RENAMED)


def _has_left_its_name(row: FileChange) -> bool:
    return row.status in (FileStatus.DELETED, FileStatus.RENAMED)


def _is_moved(base: Document | None, path: str, buffers: Mapping[str, Document]) -> bool:
    """Whether the base of a path is that of another, which is open."""
    return base is not None and base.path != path and base.path in buffers


def _apart(row: FileChange) -> FileChange:
    """A renamed file as a new one."""
    return replace(row, status=FileStatus.ADDED, base=None, base_skipped="")


def _selected(path: str, wanted: tuple[str, ...]) -> bool:
    if not wanted:
        return True
    parts = PurePosixPath(path)
    return any(w in ("", ".") or parts.is_relative_to(w) for w in wanted)
