"""How types are checked."""

from __future__ import annotations

from dataclasses import dataclass

from gateline.services.types.messages import Setup


@dataclass(frozen=True, slots=True)
class TypeOptions:
    """How types are checked. `memory_cap` is in bytes, `timeout` in seconds."""

    setup: Setup
    memory_cap: int
    timeout: float
