"""What the book's process is asked. Frozen, and cheap to pickle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gateline.services.tests.overlay import Overlay
from gateline.services.tests.run import Collection, Run
from gateline.testing.book import Asked
from gateline.testing.outline import Outline


@dataclass(frozen=True, slots=True)
class Open:
    """Begin; answered by the number of tests that are known from before."""

    root: str
    file: str
    """Where the book is kept; empty to keep none."""


@dataclass(frozen=True, slots=True)
class Collected:
    """Take a collection in; answered by the number of tests."""

    collection: Collection
    overlay: Overlay
    """What lay over the disk when it was made."""


@dataclass(frozen=True, slots=True)
class Ran:
    """Take a run in; answered by the number of tests that are known."""

    run: Run
    overlay: Overlay
    """What lay over the disk when it ran."""


@dataclass(frozen=True, slots=True)
class Select:
    """Which tests a change affects; answered by `Chosen`, the likeliest to fail first."""

    overlay: Overlay
    files: tuple[str, ...]
    """All files of the project."""
    change: tuple[str, ...]
    """Files that differ from the base."""


@dataclass(frozen=True, slots=True)
class Known:
    """What became of each test when it ran last, also before this session; answered by `Result`s."""


@dataclass(frozen=True, slots=True)
class BaseTexts:
    """Which files of a base tests execute, as far as traces speak of it; answered by their texts, by path."""

    overlay: Overlay
    """What of the base is another one on disk."""
    files: tuple[str, ...]
    """All files of the project."""


@dataclass(frozen=True, slots=True)
class CoverBase:
    """What tests execute of these files of a base; answered by `BaseCoverage`."""

    texts: BaseTexts
    outlines: Mapping[str, Outline]


@dataclass(frozen=True, slots=True)
class Cover:
    """What is known of changed lines; answered by `Covered` by path."""

    select: Select
    asked: Asked
