"""How tests ended, in numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Endings:
    """How all tests ended of which that is known, whether they ran now or their last run still holds."""

    passed: int = 0
    failed: int = 0
    """Those of files that could not be collected among them; flaky ones are not."""
    skipped: int = 0
    failing: tuple[str, ...] = ()
    """Identifiers of those that failed, or of what could not be collected."""
