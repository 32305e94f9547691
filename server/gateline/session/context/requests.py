"""What the child process that holds the index of a workspace is asked. Frozen, and cheap to pickle.

Named tuples are made in a sixth of the time of frozen dataclasses, and who asks first waits for these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from gateline.context.resolved import Resolved
    from gateline.context.values import Question
    from gateline.model import Document
    from gateline.services.embedding.requests import Made
    from gateline.services.embedding.weights import Weights
    from gateline.session.workspace.git import Git

INDEX = "index.safetensors"
"""The file of an index in its folder."""


class Open(NamedTuple):
    """Take up what was stored of a workspace; answered by nothing.

    It holds what is needed of the settings: to read them again would take longer than all else at a start.
    """

    root: Path
    git: Git | None
    max_size: int
    """Bytes above which a file is skipped."""
    exclude: tuple[str, ...]
    """Patterns of `.gitignore` of what gateline does not look at."""
    folder: Path
    """Where the index is kept."""
    left_out: tuple[str, ...]
    """The same of what belongs to no context besides."""
    book: Path | None
    """Where it is kept what the tests executed; None where they are switched off."""


class Look(NamedTuple):
    """Look at all files, and at the open buffers; answered by how many are to be read."""

    buffers: tuple[Document, ...]


class Step(NamedTuple):
    """Read some of those files; answered by how many are left."""


class Fill(NamedTuple):
    """Make some vectors that an index which is new has not yet; answered by how many are left."""


class LookThrough(NamedTuple):
    """Look for secrets in some files, so that no answer waits for it; answered by how many files are left."""


class Edited(NamedTuple):
    """Buffers were opened or edited, others were closed; answered by nothing."""

    documents: tuple[Document, ...]
    closed: tuple[str, ...]


class Written(NamedTuple):
    """Files were written; answered by nothing."""

    paths: tuple[str, ...]


class Search(NamedTuple):
    """Answered by the `Answer` to a question."""

    question: Question
    budget: int
    deadline: float
    """Seconds that a tier may take which is not needed."""


class Around(NamedTuple):
    """Answered by an `Answer`: what one needs in view at a zero-based line of a file."""

    path: str
    line: int
    budget: int
    column: int | None = None
    """In code points; None where only the line is known."""
    resolved: Resolved | None = None
    """What is known of the names there; None: nothing was resolved."""
    deadline: float = 0.0
    """Seconds that resolving may take."""


class Find(NamedTuple):
    """Answered by the `Places` that are to be resolved for a place; by None for nothing."""

    path: str
    line: int
    column: int | None


class Save(NamedTuple):
    """Write the index to the disk; answered by a `Standing`."""


class Ask(NamedTuple):
    """Answered by a `Standing`."""


class Use(NamedTuple):
    """Use a sentence transformer from now on; answered by nothing. Raises when it cannot be read."""

    weights: Weights
    made: Path
    """Where models are kept that were made of the weights."""


class Pending(NamedTuple):
    """Answered by the keys and texts to embed next: by none of them when all have their vectors.

    By None before `Use`.
    """

    most: int


class Supply(NamedTuple):
    """The vectors of texts, by their keys; answered by how many texts still want one."""

    keys: tuple[str, ...]
    made: Made


class EmbedFew(NamedTuple):
    """Have the process that holds the index embed what an edit brought, if that is no more than this.

    Answered by how many texts still want a vector.
    """

    most: int


class Renew(NamedTuple):
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
    trouble: str = ""
    """Why no question has a vector of the transformer; empty when all is well."""
    message: str = ""
    """What happened to an index that was there; empty when all is well."""
