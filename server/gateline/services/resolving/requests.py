"""What the process that resolves names is asked. Frozen, and cheap to pickle."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from gateline.context.resolved import Places
    from gateline.model import Document


class Setup(NamedTuple):
    """Resolve in this workspace from now on; answered by nothing."""

    root: Path
    packages: tuple[str, ...]
    """Folders of what the project can import besides its own files."""
    version: tuple[int, int]
    """Of the project's Python."""
    cache: Path
    """Where parsed files are kept."""


class Edited(NamedTuple):
    """Buffers were opened or edited, others were closed; answered by nothing."""

    documents: tuple[Document, ...]
    closed: tuple[str, ...]


class Written(NamedTuple):
    """Files were written: what was resolved before may be old; answered by nothing."""


class Resolve(NamedTuple):
    """Answered by a `Resolved` with what is found within so many seconds."""

    places: Places
    seconds: float


class GoOn(NamedTuple):
    """Resolve more of what was asked last, within so many seconds; answered by how many names are left."""

    seconds: float


class Warm(NamedTuple):
    """Read a file and what it imports, so that the first question about it is quick.

    Answered by nothing.
    """

    path: str
