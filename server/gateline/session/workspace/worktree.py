"""The files of a workspace beside their base, looked at again only when something moved."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gateline.git import GitError
from gateline.model import Change, Document, FileChange
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.workspace.base import SESSION, Base, refs_signature
from gateline.session.workspace.changes import Selection, overlay
from gateline.session.workspace.external_documents import file_elsewhere, is_elsewhere
from gateline.session.workspace.reading import Skipped, read, too_large
from gateline.session.workspace.workspace import Workspace


class Worktree:
    """What is on disk, and the base it is measured against. `refresh` and `bases_of` block."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.base = Base(SESSION, "not looked up yet")
        self.disk = Change(SESSION, self.base.label)
        self.is_outdated = False
        """Whether the base moved to one with other settings: the workspace is to be opened anew."""
        self._problem = ""
        """Why the base cannot be found; empty when it is."""
        self._signature: object = None
        if workspace.git is not None and workspace.found is not None:
            self._signature, self.base = workspace.found.signature, workspace.found.base
        self._first_seen: dict[str, Document | None] = {}
        """What a document's file held when it was first opened, where git does not tell."""
        self._apart: set[str] = set()
        """Opened documents that no change can hold."""
        self._unread: dict[str, str] = {}
        """Opened documents whose file is too large or cannot be decoded, with the reason."""

    def refresh(self) -> bool:
        """Look at the disk; whether documents have another base now, or can be read that could not be.

        A base that cannot be found becomes a limit.
        """
        before = (self.base, self._renames())
        healed = self._read_again()
        try:
            self.base = self._resolved()
            self.disk = self._limited(self.workspace.collector.collect(self.base, Selection()))
            self._problem = ""
        except (UsageError, UndecidedError, GitError) as error:
            self._signature, self._problem = None, str(error)
            if self.base.commit == SESSION:
                self.base = Base(SESSION, "none was found: the content when a document was opened")
            self.disk = Change(self.base.commit, self.base.label, (), (str(error),))
        return healed or (self.base, self._renames()) != before

    def bases_of(self, paths: Sequence[str]) -> dict[str, Document | None]:
        """What opened documents are measured against. Blocks.

        git's objects; without git, and for what no change can hold (ignored and excluded files, files
        elsewhere), the files as they were first seen.
        """
        self._look_at(paths)
        rows = {row.path: row.base for row in self.disk.files}
        ours = [path for path in paths if path not in self._apart]
        if self.base.commit == SESSION:
            known = {path: self._first(path) for path in ours}
        else:
            known = {**dict.fromkeys(ours), **self.workspace.collector.base_texts(self.base, ours)}
        return {path: rows[path] if path in rows else known[path] for path in ours} | {
            path: self._first(path) for path in paths if path in self._apart
        }

    def left_out(self, document: Document) -> str:
        """Why an open document is not analysed; empty when it is."""
        row = self._row(document.path)
        unread = self._unread.get(document.path) or (row.skipped if row else "")
        return unread or too_large(_size(document.text), self._limit)

    def holds(self, path: str) -> bool:
        """Whether a document that was opened lies in the workspace, and is not ignored."""
        return path not in self._apart and not is_elsewhere(path)

    def is_unread(self, path: str) -> bool:
        """Whether the file at a path differs from the base and is not analysed, as a verdict says."""
        row = self._row(path)
        return row is not None and bool(row.skipped)

    def change(self, bases: Mapping[str, Document], buffers: Mapping[str, Document]) -> Change:
        """The change of the disk with open buffers laid over it."""
        return overlay(self.disk, bases, self._analysed(buffers))

    def texts(self, buffers: Mapping[str, Document]) -> Mapping[str, str]:
        """The texts of the buffers that a change can hold, whether they differ from their bases or not."""
        return {path: document.text for path, document in self._analysed(buffers).items()}

    def known_change(self, bases: Mapping[str, Document], buffers: Mapping[str, Document]) -> Change:
        """The change, when it is known. Raises UndecidedError: without a base nothing tells what is new."""
        if self._problem or self.workspace.git_problem:
            raise UndecidedError(self._problem or _unusable(self.workspace.git_problem))
        change = self.change(bases, buffers)
        if self.base.doubt and change.is_empty:
            raise UndecidedError(self.base.doubt)
        return change

    def scoped(self, scope: str, bases: Mapping[str, Document], buffers: Mapping[str, Document]) -> Change:
        """What a scope means: `change`, `project`, or a path. Blocks. Raises UsageError, UndecidedError."""
        if scope == "project":
            return self.workspace.collector.collect(self.base, Selection(all=True))
        change = self.known_change(bases, buffers)
        if scope == "change":
            return change
        rows = tuple(row for row in change.files if row.path == scope)
        if not rows and scope not in buffers:
            raise UsageError(
                f"scope {scope!r} is neither `change`, `project`, nor an open or changed document"
            )
        return replace(change, files=rows, others=())

    def between(self, one: str, other: str) -> list[str]:
        """The paths that differ between two bases; nothing without git, or when one is gone. Blocks."""
        git = self.workspace.git
        try:
            return git.between(one, other) if git is not None and SESSION not in (one, other) else []
        except GitError:
            return []

    def _analysed(self, buffers: Mapping[str, Document]) -> Mapping[str, Document]:
        return {p: d for p, d in buffers.items() if self.holds(p) and not self.left_out(d)}

    @property
    def _limit(self) -> int:
        return self.workspace.loaded.settings.max_file_size

    def _renames(self) -> dict[str, str]:
        """By the path of a renamed file: the old one, where its base is."""
        return {f.path: f.base.path for f in self.disk.files if f.base and f.base.path != f.path}

    def _row(self, path: str) -> FileChange | None:
        return next((f for f in self.disk.files if f.path == path), None)

    def _first(self, path: str) -> Document | None:
        if path not in self._first_seen:
            found = self._on_disk(path)
            self._first_seen[path] = found if isinstance(found, Document) else None
        return self._first_seen[path]

    def _look_at(self, paths: Sequence[str]) -> None:
        """Find out which files of opened documents a change cannot hold, and which cannot be read."""
        files = {path: self._on_disk(path) for path in paths}
        self._unread |= {path: file.reason for path, file in files.items() if isinstance(file, Skipped)}
        within = [path for path in paths if self._is_within(path)]
        ignored = self.workspace.git.ignored(within) if self.workspace.git and within else set()
        apart = {p for p in paths if file_elsewhere(p) or not is_elsewhere(p)} - (set(within) - ignored)
        self._apart = (self._apart - set(paths)) | apart

    def _read_again(self) -> bool:
        healed = [path for path in self._unread if not isinstance(self._on_disk(path), Skipped)]
        for path in healed:
            del self._unread[path]
        return bool(healed)

    def _is_within(self, path: str) -> bool:
        """Whether a document's file lies below the root, not behind a link, and is not excluded."""
        if is_elsewhere(path) or not self.workspace.collector.is_ours(path):
            return False
        root = self.workspace.root
        return os.path.realpath(root / path) == os.path.join(os.path.realpath(root), path)  # noqa: PTH118

    def _on_disk(self, path: str) -> Document | Skipped | None:
        """The file behind a path, also behind a link or the URI of one elsewhere."""
        named = file_elsewhere(path) if is_elsewhere(path) else self.workspace.root / path
        if named is None:
            return None
        file = Path(os.path.realpath(named))
        found = read(file.parent, file.name, self._limit)
        return replace(found, path=path) if found else None

    def _resolved(self) -> Base:
        git = self.workspace.git
        if git is None:
            return self.workspace.base()
        signature = refs_signature(git.git_dir)
        if signature == self._signature:
            return self.base
        found = self.workspace.base()
        judged = self.workspace.judged_by(found)
        self.is_outdated = judged.loaded.settings != self.workspace.loaded.settings
        self._signature = signature
        return found

    def _limited(self, change: Change) -> Change:
        change, problem = self._with_first_seen(change), self.workspace.git_problem
        limits = (*([_unusable(problem)] if problem else ()), *self.workspace.loaded.limits)
        return replace(change, limits=(*change.limits, *limits))

    def _with_first_seen(self, change: Change) -> Change:
        """Without git: files that were saved with another text than they had when first seen."""
        seen = {p: d for p, d in self._first_seen.items() if d is not None and p not in self._apart}
        if not seen:
            return change
        now = {p: self._on_disk(p) for p in seen}
        saved = {p: d for p, d in now.items() if isinstance(d, Document)}
        return replace(change, files=overlay(change, seen, saved).files)


def _unusable(problem: str) -> str:
    return f"git cannot be used: {problem}"


def _size(text: str) -> int:
    """The bytes of a text; counted only where they can matter, because a keystroke waits."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
