"""The files of a workspace beside their base, looked at again only when something moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gateline.model import Change, Document
from gateline.session.base import SESSION, Base, refs_signature
from gateline.session.changes import Selection, overlay
from gateline.session.errors import UndecidedError, UsageError
from gateline.session.reading import read
from gateline.session.workspace import Workspace


class Worktree:
    """What is on disk, and the base it is measured against. `refresh` and `base_of` block."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.base = Base(SESSION, "not looked up yet")
        self.disk = Change(SESSION, self.base.label)
        self._signature: object = None
        self._first_seen: dict[str, Document | None] = {}
        """Without git: what a document's file held when it was first opened."""

    def refresh(self) -> bool:
        """Look at the disk; whether the base moved. A base that cannot be found becomes a limit."""
        before = self.base
        try:
            self.base = self._resolved()
            self.disk = self._with_first_seen(self.workspace.collector.collect(self.base, Selection()))
        except (UsageError, UndecidedError) as error:
            self._signature = None
            self.disk = Change(self.base.commit, self.base.label, (), (str(error),))
        return self.base != before

    def base_of(self, path: str) -> Document | None:
        """What the base has at a path: git's object, or without git the file as it was first seen."""
        row = next((f for f in self.disk.files if f.path == path), None)
        if row is not None:
            return row.base
        if self.base.commit != SESSION:
            return self.workspace.collector.base_texts(self.base, [path]).get(path)
        if path not in self._first_seen:
            found = read(self.workspace.root, path, self.workspace.loaded.settings.max_file_size)
            self._first_seen[path] = found if isinstance(found, Document) else None
        return self._first_seen[path]

    def change(self, bases: Mapping[str, Document], buffers: Mapping[str, Document]) -> Change:
        """The change of the disk with open buffers laid over it."""
        ours = {p: d for p, d in buffers.items() if ":" not in p and self.workspace.collector.is_ours(p)}
        return overlay(self.disk, bases, ours)

    def scoped(self, scope: str, bases: Mapping[str, Document], buffers: Mapping[str, Document]) -> Change:
        """What a scope means: `change`, `project`, or a path. Blocks. Raises UsageError."""
        if scope == "project":
            return self.workspace.collector.collect(self.base, Selection(all=True))
        change = self.change(bases, buffers)
        if scope == "change":
            return change
        rows = tuple(row for row in change.files if row.path == scope)
        if not rows and scope not in buffers:
            raise UsageError(
                f"scope {scope!r} is neither `change`, `project`, nor an open or changed document"
            )
        return replace(change, files=rows)

    def _resolved(self) -> Base:
        git = self.workspace.git
        if git is None:
            return self.workspace.base()
        signature = refs_signature(git.git_dir)
        if signature == self._signature:
            return self.base
        found = self.workspace.base()
        self._signature = signature
        return found

    def _with_first_seen(self, change: Change) -> Change:
        """Without git: files that were saved with another text than they had when first seen."""
        seen = {p: d for p, d in self._first_seen.items() if d is not None}
        if not seen:
            return change
        limit = self.workspace.loaded.settings.max_file_size
        now = {p: read(self.workspace.root, p, limit) for p in seen}
        saved = {p: d for p, d in now.items() if isinstance(d, Document)}
        return replace(change, files=overlay(change, seen, saved).files)
