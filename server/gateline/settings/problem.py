"""A mistake in the settings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """One mistake: where it is, what is wrong, and what may have been meant."""

    path: str
    """The file; "" for the environment and the command line."""
    line: int
    """Zero-based."""
    column: int
    """Zero-based, in code points."""
    key: str
    """With dots, as in `types.engine`; "" when the file could not be read at all."""
    value: str
    """What was written, as TOML or as the environment has it; "" when there is none or it may be secret."""
    message: str
    suggestion: str = ""
    """The nearest valid key or value; "" when nothing is near."""
    origin: str = ""
    """For people: `pyproject.toml:12`, `GATELINE_TYPES__ENGINE in the environment`, `command line`."""

    @property
    def text(self) -> str:
        """The whole sentence."""
        return f"{self.message}; did you mean `{self.suggestion}`?" if self.suggestion else self.message

    @property
    def unreadable(self) -> bool:
        """Whether a whole file was lost: the last good settings should stay in force."""
        return not self.key
