"""Which settings decide how a change is judged. Of gateline's own those of the base hold, edited or not."""

from __future__ import annotations

from collections.abc import Mapping

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
_OF_LOOKS: Mapping[str, tuple[str, ...]] = {
    "coverage": ("html.", "xml.", "json.", "lcov."),
    "ruff": ("format.",),
    "pytest": ("log_", "console_output_style", "cache_dir"),
}
"""How keys of other tools begin that only say how something looks, or where it is written."""


def governs_tool(tool: str, key: str) -> bool:
    """Whether a setting of any tool that checks, by its dotted key, decides how a change is judged."""
    return governs(key) if tool == "gateline" else not key.startswith(_OF_LOOKS.get(tool, ()))


def governs(key: str) -> bool:
    """Whether a setting, by its dotted key in either spelling, decides how a change is judged."""
    plain = key.replace("-", "_")
    return plain in _KEYS or plain.partition(".")[0] in _TABLES
