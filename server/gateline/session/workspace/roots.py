"""Which folder is the workspace: the same answer in the editor, the shell and CI."""

from __future__ import annotations

import tomllib
from pathlib import Path

SETTINGS_FILES = ("gateline.toml", "pyproject.toml")


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` with a gateline table, else with pyproject.toml, else git's."""
    folder = start if start.is_dir() else start.parent
    chain = [folder, *folder.parents]
    for test in (_has_table, _has_pyproject, _is_repository):
        for candidate in chain:
            if test(candidate):
                return candidate
    return folder


def settings_file(root: Path) -> Path | None:
    """The file in `root` that holds gateline's settings, if there is one."""
    return next((root / name for name in SETTINGS_FILES if _holds_table(root / name)), None)


def _has_table(folder: Path) -> bool:
    return settings_file(folder) is not None


def _holds_table(file: Path) -> bool:
    if file.name == "gateline.toml":
        return file.is_file()
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    if "gateline" not in text:
        return False
    try:
        return "gateline" in tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError:
        # A broken file that speaks of gateline is ours, so that its mistake is told.
        return "[tool.gateline" in text


def _has_pyproject(folder: Path) -> bool:
    return (folder / "pyproject.toml").is_file()


def _is_repository(folder: Path) -> bool:
    return (folder / ".git").exists()


def git_folders(root: Path) -> tuple[Path, ...]:
    """Where the repository around `root` keeps HEAD and refs; none without a repository.

    A linked work tree or a submodule has a file in place of the folder, and a work tree shares the refs of
    the repository it came from.
    """
    for folder in (root, *root.parents):
        mark = folder / ".git"
        if mark.is_dir():
            return (mark,)
        if mark.is_file():
            return _linked(mark)
    return ()


def _linked(mark: Path) -> tuple[Path, ...]:
    try:
        git = (mark.parent / _line(mark).removeprefix("gitdir:").strip()).resolve()
        shared = git / "commondir"
        return (git, (git / _line(shared)).resolve()) if shared.is_file() else (git,)
    except (OSError, ValueError, RuntimeError):
        return ()


def _line(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip()
