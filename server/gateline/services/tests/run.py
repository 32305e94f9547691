"""What the runner answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateline.testing.result import Failure, Item, Result
from gateline.testing.trace import Trace


@dataclass(frozen=True, slots=True)
class Facts:
    """What the far side can do on this system, for `gateline doctor`."""

    python: str
    """The version of the project's interpreter."""
    cold: str
    """Why tests are collected anew for each run; empty while they are kept warm."""
    files: bool
    """Whether what tests write into the project vanishes, and programs they start see unsaved texts."""
    network: bool
    """Whether the system closes the network; otherwise only Python's own calls are refused."""
    pytest: str = ""
    """Its version; empty before anything was collected."""
    coverage: str = ""
    """Its version; empty when it is not installed, and then there are no traces."""


@dataclass(frozen=True, slots=True)
class CollectionError:
    """Why a file, or (with an empty `id`) everything, could not be collected."""

    id: str
    failure: Failure


@dataclass(frozen=True, slots=True)
class Collection:
    """All tests there are."""

    items: tuple[Item, ...] = ()
    errors: tuple[CollectionError, ...] = ()
    imported: Trace = field(default_factory=lambda: Trace(""))
    """What importing the project and collecting executed."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The project's files that were imported or read, and the digest of the content of each."""
    plugins: tuple[str, ...] = ()
    """The project's files that pytest loaded as plug-ins, beside conftests."""
    libraries: frozenset[str] = frozenset()
    """Top-level modules that were loaded from elsewhere."""
    rootdir: str = ""
    """pytest's own root, which identifiers are relative to."""
    surroundings: str = ""
    """Another one when something else changed than the code of modules: settings, libraries, files that were
    read, which conftests there are."""


@dataclass(frozen=True, slots=True)
class Run:
    """What became of one request."""

    results: tuple[Result, ...] = ()
    opening: tuple[str, float] | None = None
    """The test that ran first, and the seconds from the beginning of the run to its result."""
    traces: tuple[Trace, ...] = ()
    """One for each test that ended by itself, when coverage was asked for and is installed."""
    contents: Mapping[str, str] = field(default_factory=dict)
    """The files that were imported or read with the digest of what was run of each."""
    unknown: tuple[str, ...] = ()
    """Identifiers that name no collected test."""
    left: tuple[str, ...] = ()
    """Tests that had not run when the time was over."""
    recollected: str = ""
    """Why tests had to be collected again; empty when they were warm."""
    errors: tuple[CollectionError, ...] = ()
    """What kept all tests from being collected."""
    reason: str = ""
    """Why nothing, or not all, could be run; empty when all is well."""
    replaced: bool = False
    """A newer request took its place, or the one who asked stopped waiting."""
