"""What a type checker's far side is asked, and what it answers. Imports nothing but the standard library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

FAR = "gateline.services.types.far_mypy"
"""The module that is asked: the resident engine, or an ordinary run."""
Texts = Mapping[str, str | None]
"""Texts laid over the disk, by path relative to the root; None: there is no such file."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How mypy is to be run. The far side's working folder becomes `root`: mypy finds its settings there."""

    root: str
    python: str
    cache_dir: str
    plugins: bool = False
    """Whether plug-ins that the project's settings name may run: they are the project's code."""
    refused: str = ""
    """Why they may not, and what would let them, for people."""
    settings: str = ""
    """A file that mypy reads in place of the project's own settings; "" for those."""
    trusted: bool = False
    """Whether programs of the project may run: its interpreter may be one."""
    version: str = ""
    """The Python to check for where mypy's settings name none, as `3.14`; "" for that of mypy's process."""
    record: str = ""
    """The file in which this is kept for the next start; "" for none."""


@dataclass(frozen=True, slots=True)
class Foresee:
    """Told before `Start`, without an answer: build what will probably be asked for."""

    record: str
    """The file that says how it was started the last time."""
    trusted: bool
    """Whether programs of the project may run."""


@dataclass(frozen=True, slots=True)
class Start:
    """Build the resident engine, from the cache if there is one; answered by `Answer`."""

    setup: Setup
    texts: Texts
    written: tuple[str, ...] = ()
    """Paths of files that were written, made or removed before: an engine that was foreseen must follow."""
    primed: bool = True
    """Whether its cache was just filled; else it is looked first whether that lacks many modules."""


@dataclass(frozen=True, slots=True)
class Update:
    """Texts were edited, or files written that no text lies over; answered by `Answer`."""

    texts: Texts
    written: tuple[str, ...] = ()
    """Paths of files that were written, made or removed, or whose texts were taken back."""


@dataclass(frozen=True, slots=True)
class Peek:
    """What would be found with these texts instead; answered by `Answer`. Afterwards all is as before."""

    texts: Texts


@dataclass(frozen=True, slots=True)
class Preview:
    """A text was edited: what is found when only the edited function is checked again; answered by `Answer`.

    It says nothing of the text when the edit is of another kind, or the text is a new one.
    """

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Plain:
    """An ordinary run over these texts; answered by `Answer`."""

    setup: Setup
    texts: Texts
    prime: bool = False
    """Whether it fills the cache that resident engines start from. Only the texts of now may do that."""
    alone: bool = False
    """Whether it answers for these texts only, and fills no cache: what they import is not checked itself."""


@dataclass(frozen=True, slots=True)
class Glance:
    """Told before `Plain`, without an answer: do already what will probably be asked."""

    request: Plain


@dataclass(frozen=True, slots=True)
class Note:
    """What mypy adds to an error, with the zero-based line it points at."""

    line: int
    text: str
    source: str = ""
    """The line it points at, without its end."""


@dataclass(frozen=True, slots=True)
class Message:
    """One of mypy's errors. Lines and columns are zero-based; columns count code points; -1: unknown."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    code: str
    source: str = ""
    """The line it starts on, without its end."""
    end_source: str = ""
    """The line it ends on."""
    symbol: str = ""
    """The qualified name of the function or class around it."""
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The messages of some paths, complete for each of them."""

    messages: Mapping[str, tuple[Message, ...]] = field(default_factory=dict)
    """By path relative to the root: all that were asked for or checked again; empty: nothing wrong."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """Paths that were asked for, on which the project would not run the checker, with the reason."""
    unchecked: Mapping[str, str] = field(default_factory=dict)
    """Paths that were asked for but could not be taken in, with the reason."""
    blocked: str = ""
    """Why nothing could be checked; then `messages` says nothing."""
    no_data: str = ""
    """Why nothing is known, though nothing failed: a plug-in did not run; then `messages` says nothing."""
    limits: tuple[str, ...] = ()
    """What was done without: files that do not parse, settings that mypy did not understand."""
    limits_of: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Which of them concern a path, where that is known: not those of files that it does not import."""
    before: Mapping[str, tuple[Message, ...]] = field(default_factory=dict)
    """Of a look at other texts: the messages of the same paths without them."""
    outdated: bool = False
    """The engine cannot follow what was written: start anew; then `messages` says nothing."""
    unprimed: bool = False
    """An engine would take in many modules one by one: fill its cache first; then `messages` says nothing."""
    used_cache: bool = False
    foreseen: bool = False
    """The engine had been built before it was asked for."""
    targets: int = 0
    """How many functions and modules an edit made mypy look at."""
    memory: int = 0
    """Resident memory of the process in bytes."""
    seconds: float = 0.0

    def is_silent_of(self, path: str) -> bool:
        """Whether nothing is said of a text, without a reason: it does not parse."""
        said = (self.messages, self.left_out, self.unchecked)
        return not (self.blocked or self.no_data or any(path in paths for paths in said))
