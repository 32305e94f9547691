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


EVERYTHING = "nothing: every file counts as new"
"""The base's label where all files are judged."""
IS_BINARY = "binary"
IS_LINK = "a symbolic link"
IS_SUBMODULE = "a submodule"
IS_REPOSITORY = "a nested git repository"
NO_TEXT = frozenset({IS_BINARY, IS_LINK, IS_SUBMODULE, IS_REPOSITORY})
"""Why a file is skipped in which there is no text to look through."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """One changed file: its text in the base and now. `base.path` is the old name of a renamed file."""

    path: str
    status: FileStatus
    base: Document | None
    current: Document | None
    skipped: str = ""
    """Why the text there is now is not analysed (too large, binary, a link); empty when it is, or is gone."""
    base_skipped: str = ""
    """The same of the base's."""
    fingerprint: str = ""
    """Names the content of a file without a text: git's name of its bytes, or the size and time of a file
    that was not read."""

    @classmethod
    def between(cls, base: Document | None, current: Document | None) -> FileChange:
        """The row of a file with these texts, of which at least one is there: their paths say its status."""
        if current is None:
            assert base is not None
            return cls(base.path, FileStatus.DELETED, base, None)
        if base is None:
            return cls(current.path, FileStatus.ADDED, None, current)
        status = FileStatus.MODIFIED if base.path == current.path else FileStatus.RENAMED
        return cls(current.path, status, base, current)

    @property
    def is_unread(self) -> bool:
        """Whether there may be a text now that nobody looked through."""
        return bool(self.skipped) and self.skipped not in NO_TEXT


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
    """Every other file that differs and is not ignored: data, configuration, pipelines, documents, links,
    binary files; those without a text say why in `skipped`. Sorted by path."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all differs."""
        return not (self.files or self.others)
