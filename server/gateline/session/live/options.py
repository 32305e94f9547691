"""What a client says of a workspace, and what it is told of a document."""

from __future__ import annotations

from dataclasses import dataclass

from gateline.model import Finding, Level


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """What the client says of a workspace. None of it changes a verdict."""

    python: str | None = None
    trusted: bool = False
    drawn_elsewhere: frozenset[str] = frozenset()
    """Dimensions, tools or codes whose findings another server draws: counted here, not drawn again."""

    def draws(self, finding: Finding) -> bool:
        """Whether a finding is to be shown: no other server shows it already."""
        tool = finding.origin.partition(":")[0]
        return self.drawn_elsewhere.isdisjoint({finding.dimension.value, tool, finding.code})


@dataclass(frozen=True, slots=True)
class Published:
    """All findings to show for a document now."""

    path: str
    version: int | None
    findings: tuple[Finding, ...]
    level: Level
