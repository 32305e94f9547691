"""What the child process that holds the index of a workspace is asked. Frozen, and cheap to pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gateline.context.values import Question
from gateline.model import Document
from gateline.services.embedding.requests import Made
from gateline.services.embedding.weights import Weights
from gateline.session.git import Git


@dataclass(frozen=True, slots=True)
class Open:
    """Take up what was stored of a workspace; answered by a `Standing`.

    It holds what is needed of the settings: to read them again would take longer than all else at a start.
    """

    root: Path
    git: Git | None
    max_size: int
    """Bytes above which a file is skipped."""
    exclude: tuple[str, ...]
    """Patterns of `.gitignore` of what gateline does not look at."""
    left_out: tuple[str, ...]
    """The same of what belongs to no context besides."""
    book: Path | None
    """Where it is kept what the tests executed; None where they are switched off."""


@dataclass(frozen=True, slots=True)
class Look:
    """Look at all files, and at the open buffers; answered by how many are to be read."""

    buffers: tuple[Document, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """Read some of those files; answered by how many are left."""


@dataclass(frozen=True, slots=True)
class Fill:
    """Make some vectors that an index which is new has not yet; answered by how many are left."""


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


@dataclass(frozen=True, slots=True)
class Save:
    """Write the index to the disk; answered by a `Standing`."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Answered by a `Standing`."""


@dataclass(frozen=True, slots=True)
class Use:
    """Use a sentence transformer from now on; answered by nothing. Raises when it cannot be read."""

    weights: Weights
    made: Path
    """Where models are kept that were made of the weights."""


@dataclass(frozen=True, slots=True)
class Pending:
    """Answered by the keys and texts to embed next; by none when all have their vectors."""

    most: int


@dataclass(frozen=True, slots=True)
class Supply:
    """The vectors of texts, by their keys; answered by how many texts still want one."""

    keys: tuple[str, ...]
    made: Made


@dataclass(frozen=True, slots=True)
class Renew:
    """A faster engine, and more vectors, may have been made meanwhile; answered by nothing."""


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
