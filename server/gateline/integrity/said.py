"""What a walk through a test finds: checks, places where it gives up, and what it calls."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gateline.integrity.check import Check


@dataclass(frozen=True, slots=True)
class Skip:
    """A place where a test gives up, and the condition (None: always)."""

    node: ast.stmt
    how: str
    condition: ast.expr | None


@dataclass
class Said:
    """What a test says."""

    checks: list[Check] = field(default_factory=list)
    skips: list[Skip] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)
    """The names of what it calls."""
    written: dict[str, ast.expr] = field(default_factory=dict)
    """By the text of a path: what the test itself wrote there."""
