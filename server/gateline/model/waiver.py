"""That a person accepts a finding: on the base, or on the command line, never in the change itself."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase

from gateline.model.finding import Finding

FILE = ".gateline/waivers.toml"
"""Relative to the root. Only that of the base accepts anything."""


@dataclass(frozen=True, slots=True)
class Waiver:
    """What is accepted, by whom and why."""

    code: str
    path: str
    """Relative to the root; `*` stands for anything."""
    reason: str
    source: str
    """Where it was said: `.gateline/waivers.toml of the base`, `--accept`."""
    symbol: str = ""
    """Only in this function or class; empty: anywhere in the file."""
    finding: str = ""
    """Only the finding of this identity; empty: all of the code."""
    expires: str = ""
    """The last day on which it holds, in ISO 8601; empty: it holds until it is removed."""
    asked: bool = False
    """It was said for this one verdict: where nothing is to be accepted, that is told."""

    @property
    def subject(self) -> str:
        """What is accepted, in words: `GTL301 in src/cart.py, total`."""
        named = ", ".join(filter(None, (self.path, self.symbol, self.finding)))
        return f"{self.code} in {named}"

    def covers(self, finding: Finding) -> bool:
        """Whether it accepts `finding`."""
        return (
            finding.code == self.code
            and fnmatchcase(finding.path, self.path)
            and self.symbol in ("", finding.symbol)
            and self.finding in ("", finding.identity)
        )


@dataclass(frozen=True, slots=True)
class Accepted:
    """A finding that a person accepted: it neither counts nor breaks a floor, and stays in sight."""

    finding: Finding
    reason: str
    source: str
    expires: str = ""

    def __str__(self) -> str:
        found = self.finding
        until = f", until {self.expires}" if self.expires else ""
        place = f"{found.path}:{found.span.start.line + 1}: {found.code} {found.message}"
        return f"accepted by {self.source}{until}: {place}" + (f" ({self.reason})" if self.reason else "")
