"""Which folder is the workspace: the same answer in the editor, the shell, CI and a hook."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

SETTINGS_FILES = ("gateline.toml", "pyproject.toml")


def root_of(start: str) -> str:
    """The nearest folder at or above `start` with a gateline table, else with pyproject.toml, else git's."""
    folder = start if os.path.isdir(start) else os.path.dirname(start)
    chain = list(_upwards(folder))
    tests: tuple[Callable[[str], bool], ...] = (has_table, _has_pyproject, _is_repository)
    for test in tests:
        for candidate in chain:
            if test(candidate):
                return candidate
    return folder


def is_marked(folder: str) -> bool:
    """Whether anything says that a folder is a project's root."""
    return any(test(folder) for test in (has_table, _has_pyproject, _is_repository))


def has_table(folder: str) -> bool:
    """Whether gateline's settings are in a file of this folder."""
    return any(holds_table(os.path.join(folder, name)) for name in SETTINGS_FILES)


def holds_table(file: str) -> bool:
    """Whether a file holds gateline's settings."""
    if os.path.basename(file) == "gateline.toml":
        return os.path.isfile(file)
    try:
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError):
        return False
    return "gateline" in text and _names_table(text)


def _names_table(text: str) -> bool:
    import tomllib

    try:
        return "gateline" in tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError:
        # A broken file that speaks of gateline is ours, so that its mistake is told.
        return "[tool.gateline" in text


def _upwards(folder: str) -> Iterator[str]:
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def _has_pyproject(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "pyproject.toml"))


def _is_repository(folder: str) -> bool:
    return os.path.exists(os.path.join(folder, ".git"))
