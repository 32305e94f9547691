"""Which folder is the workspace: the same answer in the editor, the shell and CI."""

from __future__ import annotations

from pathlib import Path

from gateline.resident.root import SETTINGS_FILES, holds_table, root_of

__all__ = ["SETTINGS_FILES", "find_root", "git_folders", "settings_file"]


def find_root(start: Path) -> Path:
    """The nearest folder at or above `start` with a gateline table, else with pyproject.toml, else git's."""
    return Path(root_of(str(start)))


def settings_file(root: Path) -> Path | None:
    """The file in `root` that holds gateline's settings, if there is one."""
    return next((root / name for name in SETTINGS_FILES if holds_table(str(root / name))), None)


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
