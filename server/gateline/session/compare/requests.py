"""What the process of a comparison is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gateline.session.compare.comparing import Asked, Comparison


@dataclass(frozen=True, slots=True)
class Compare:
    """Compare candidates: answered by `Doing` and `Compared`, or `Refused`."""

    root: Path
    asked: Asked
    python: str = ""
    """The interpreter of the project; empty: as settings and environment say."""
    by_editor: bool = False
    """Whether the model of the editor is asked: `AskEditor` comes on the way."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison that is recorded."""

    found: Comparison
    trouble: str = ""
    """Why it is not in the audit trail; empty: it is."""
