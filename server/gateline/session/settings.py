"""Reads the settings of a workspace from disk, the environment and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gateline.session.errors import UsageError
from gateline.session.roots import SETTINGS_FILES
from gateline.settings.load import Loaded, SettingsFile, load

LoadedSettings = Loaded


def load_settings(root: Path, environ: Mapping[str, str], overrides: Mapping[str, object]) -> LoadedSettings:
    """The settings in force in `root`; mistakes are in its `problems`, and cost only their own key."""
    files = [SettingsFile(name, text) for name in SETTINGS_FILES if (text := _text(root / name)) is not None]
    return load(files, environ, overrides)


def require_readable(loaded: LoadedSettings) -> None:
    """Raises UsageError when a whole settings file was lost: a verdict by other settings would mislead."""
    for problem in loaded.problems:
        if problem.unreadable:
            raise UsageError(f"{problem.origin or problem.path}: {problem.message}")


def _text(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
