"""What the child process that holds the index of a workspace is asked. Frozen, and cheap to pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gateline.context.values import Question
from gateline.model import Document


@dataclass(frozen=True, slots=True)
class Open:
    """Take up what was stored of a workspace; answered by a `Standing`."""

    root: Path
    environ: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Look:
    """Look at all files, and at the open buffers; answered by how many are to be read."""

    buffers: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """Read some of those files; answered by how many are left."""


@dataclass(frozen=True, slots=True)
class Edited:
    """Buffers were opened or edited, others were closed; answered by nothing."""

    documents: tuple[Document, ...]
    closed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """Files were written; answered by nothing."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """Answered by the `Answer` to a question."""

    question: Question
    budget: int
    deadline: float
    """Seconds that a tier may take which is not needed."""


@dataclass(frozen=True, slots=True)
class Around:
    """Answered by an `Answer`: what one needs in view at a zero-based line of a file."""

    path: str
    line: int
    budget: int
    deadline: float


@dataclass(frozen=True, slots=True)
class Save:
    """Write the index to the disk; answered by a `Standing`."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Answered by a `Standing`."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How the index stands."""

    files: int
    chunks: int
    tiers: Mapping[str, int] = field(default_factory=dict)
    """By tier, how many chunks have a vector."""
    size: int = 0
    """Bytes on the disk."""
    folder: str = ""
    message: str = ""
    """What happened to an index that was there; empty when all is well."""
