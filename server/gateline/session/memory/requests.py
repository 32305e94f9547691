"""What the process that holds the memory of a workspace is asked. Frozen, and cheap to pickle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.memory.lesson import NOWHERE, Anchor, Note
from gateline.memory.ranking import MOST

if TYPE_CHECKING:
    from gateline.settings import ContextSettings

_BUDGET = 500
"""Tokens that are handed out, where nobody asks for another number."""


@dataclass(frozen=True, slots=True)
class Open:
    """Which memory the process holds; answered by nothing."""

    root: Path
    settings: ContextSettings
    trusted: bool
    folder: Path | None = None
    """In place of the user's state folder."""


@dataclass(frozen=True, slots=True)
class Remember:
    """Answered by what was `Stored`, or why it was `Refused`."""

    note: Note


@dataclass(frozen=True, slots=True)
class Recall:
    """What lessons are wanted for; answered by a `Handout`."""

    text: str = ""
    anchor: Anchor = NOWHERE
    most: int = MOST
    budget: int = _BUDGET
    """Tokens."""
    operation: str = "recall"
    """Who asks: it is noted with each use."""
    branch: str = ""
    used: bool = True
    """Whether what is handed out counts as a use."""


@dataclass(frozen=True, slots=True)
class Helped:
    """Note that lessons helped; answered by them, or why it was `Refused`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Forget:
    """Delete lessons; answered by them, or why it was `Refused`."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class History:
    """Answered by a lesson and its versions, or why it was `Refused`."""

    name: str


@dataclass(frozen=True, slots=True)
class ListAll:
    """Answered by all lessons."""


@dataclass(frozen=True, slots=True)
class Refused:
    """What was asked cannot be done; the message is for people."""

    message: str
