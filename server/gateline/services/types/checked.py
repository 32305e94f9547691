"""What a type checker says of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateline.model import Report


@dataclass(frozen=True, slots=True)
class Checked:
    """Reports, and the digest of the text that each speaks of."""

    reports: Mapping[str, Report] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
