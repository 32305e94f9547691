"""Reads the settings of a workspace and of its base: files, environment, command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gateline.git import GitError
from gateline.session.errors import UsageError
from gateline.session.workspace.base import EMPTY_TREE, SESSION, Base
from gateline.session.workspace.git import Git
from gateline.session.workspace.roots import SETTINGS_FILES
from gateline.settings.load import Loaded, SettingsFile, load
from gateline.settings.problem import SettingsProblem

LoadedSettings = Loaded


def load_settings(root: Path, environ: Mapping[str, str], overrides: Mapping[str, object]) -> LoadedSettings:
    """The settings in force in `root`; mistakes are in its `problems`, and cost only their own key."""
    found = [_read(root / name) for name in SETTINGS_FILES]
    loaded = load([f for f in found if isinstance(f, SettingsFile)], environ, overrides)
    unread = [f for f in found if isinstance(f, SettingsProblem)]
    return replace(loaded, problems=(*unread, *loaded.problems))


def base_settings(
    git: Git | None, base: Base, environ: Mapping[str, str], overrides: Mapping[str, object]
) -> LoadedSettings | None:
    """The settings that the base's own files give; None where nothing was committed, or they cannot be read.

    Blocks. What the environment and the command line say counts here too: no change can write it.
    """
    if git is None or base.commit in (SESSION, EMPTY_TREE):
        return None
    names = {name: f"{base.commit}:./{name}" for name in SETTINGS_FILES}
    try:
        blobs = git.blobs(names.values())
        files = [SettingsFile(name, blobs[at].decode()) for name, at in names.items() if at in blobs]
    except (GitError, UnicodeDecodeError):
        return None
    loaded = load(files, environ, overrides)
    return None if loaded.unreadable else loaded


def require_readable(loaded: LoadedSettings) -> None:
    """Raises UsageError when a whole settings file was lost: a verdict by other settings would mislead."""
    for problem in loaded.problems:
        if problem.unreadable:
            raise UsageError(f"{problem.origin or problem.path}: {problem.message}")


def _read(file: Path) -> SettingsFile | SettingsProblem | None:
    try:
        return SettingsFile(file.name, file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return _unread(file, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{error.object[error.start]:02x} at {error.start}"
        return _unread(file, f"cannot be read: {byte} is no UTF-8; save the file as UTF-8")


def _unread(file: Path, message: str) -> SettingsProblem:
    return SettingsProblem(file.name, 0, 0, "", "", message, origin=file.name)
