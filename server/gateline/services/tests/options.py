"""RunOptions tests are run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict


@dataclass(frozen=True, slots=True)
class Limits:
    """What tests may take. Times are in seconds, memory in bytes."""

    test: float = 30.0
    """For one test with its fixtures."""
    total: float = 600.0
    """For all tests of one run."""
    collection: float = 120.0
    memory: int = 2 << 30
    """More than the collected state has, for each process."""
    processes: int = 64
    """Started by one run, at the same time."""


Enclosed = Callable[[Sequence[str], Path], Sequence[str]]
"""What is started in place of a program; the folder is the runner's own, and may be written."""


class RunOptions(TypedDict, total=False):
    """What one run may be asked for besides its tests and texts."""

    coverage: bool
    """Whether it tells what each test executed; yes, unless said."""
    arcs: Sequence[str]
    """Files of whose branches, and not only lines, is told."""
    recollect: bool
    """Whether tests may be collected again. Without, the collection stays as it is; where it cannot stand for
    the texts, `reason` says why. Yes, unless said."""
    limits: Limits
    """Of this run; those of the runner, unless said."""
    until_failure: bool
    """Whether the first test that fails is the last that runs."""


@dataclass(frozen=True, slots=True)
class TestOptions:
    """One project's tests."""

    __test__ = False

    root: Path
    """The workspace; tests are started in it."""
    python: str
    """The project's own interpreter, which must have pytest."""
    arguments: tuple[str, ...] = ()
    """For pytest, as on its command line."""
    limits: Limits = field(default_factory=Limits)
    network: bool = False
    """Whether tests may reach it; without, only what they serve themselves on this machine."""
    cold: str = ""
    """Why tests are to be collected anew for each run; empty to keep them warm where that is safe."""
    coverage_settings: tuple[tuple[str, str | None], ...] = ()
    """Names and texts of files that coverage's settings are read from, instead of those on disk; None: there
    is no such file."""
    compiled: Path | None = None
    """The file in which compiled modules are kept between collections; None keeps none."""
    sandbox: bool = True
    """Whether to lay unsaved texts over the files, and close the network, where the system can."""
    instead_of: str = ""
    """The folder of which `root` is a copy: what is imported from there is imported from `root`."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that are set beside those of gateline's own process."""
    named: tuple[str, ...] = ()
    """Files that are collected besides, whatever they are called."""
    enclosed: Enclosed | None = None
    """Runs the runner apart from everything else; None: as an ordinary child."""
