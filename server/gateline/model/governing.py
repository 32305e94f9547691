"""Which settings decide how a change is judged: the base's hold, whatever the change writes there."""

from __future__ import annotations

_TABLES = (
    "gates",
    "security",
    "secrets",
    "complexity",
    "documentation",
    "duplication",
    "integrity",
    "overrides",
)
_KEYS = ("base", "python", "profile", "exclude", "max_file_size", "types.enabled", "tests.enabled")
"""Where and how tools run (limits, engines, arguments) is a matter of the present tree."""


def governs(key: str) -> bool:
    """Whether a setting, by its dotted key in either spelling, decides how a change is judged."""
    plain = key.replace("-", "_")
    return plain in _KEYS or plain.partition(".")[0] in _TABLES
