"""Everything that differs from the base."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gateline.model.document import Document


class FileStatus(StrEnum):
    """What happened to a file since the base, in git's words."""

    ADDED = "added"
    MODIFIED = "modified"
    RENAMED = "renamed"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One changed file: its text in the base and now. `base.path` is the old name of a renamed file."""

    path: str
    status: FileStatus
    base: Document | None
    current: Document | None
    skipped: str = ""
    """Why the file is not analysed (too large, not text, not decodable); empty when it is."""


@dataclass(frozen=True, slots=True)
class Change:
    """All changed files, sorted by path, and the base they are measured against."""

    base: str
    """A commit's full name, or `session` without git."""
    base_label: str
    """How the base was found, for people: `merge-base with origin/main`, `HEAD`."""
    files: tuple[FileChange, ...] = ()
    limits: tuple[str, ...] = ()
    """What made the change incomplete: a shallow clone, a missing base, unreadable files."""
    others: tuple[FileChange, ...] = ()
    """Changed files that are not Python but say how Python is judged, or what it should do: configuration,
    pipelines, documents. Sorted by path."""
