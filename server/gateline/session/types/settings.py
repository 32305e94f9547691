"""Which settings mypy reads: the base's, where the change makes mypy look for less."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gateline.git import GitError
from gateline.model import Change, Document, FileChange, digest_of
from gateline.session.workspace.base import EMPTY_TREE, SESSION, Base
from gateline.session.workspace.git import Git
from gateline.store.folders import user_cache

_FILES = ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg")
"""In the order in which mypy looks for its settings."""
_SELECTING = ("exclude", "exclude_gitignore", "files", "packages", "modules", "follow_imports")
"""What says which files mypy is run on."""
_NONE = "[mypy]\n"
_FOLDER = "MYPY_CONFIG_FILE_DIR"


def mypy_settings(root: Path, git: Git | None, base: Base) -> str:
    """The file that mypy reads in place of the project's; "" where those speak of the same and are as strict.

    Blocks.
    """
    if git is None or base.commit in (SESSION, EMPTY_TREE):
        return ""
    try:
        before, now = _of_base(git, base), _on_disk(root)
    except (GitError, OSError, UnicodeDecodeError):
        # Whatever is the matter with the files is told where they are read.
        return ""
    if before == now or (_selecting(before) == _selecting(now) and not _is_weaker(before, now)):
        return ""
    return str(_written(root, *_read_by_mypy(before)))


def _selecting(texts: Mapping[str, str]) -> list[tuple[str, str]]:
    from gateline.integrity.enforcement.settings import read

    name, text = _read_by_mypy(texts)
    found = ((key, value) for (tool, key), value in read(Document(name, text)) if tool == "mypy")
    return sorted((key, repr(value)) for key, value in found if key.split(": ")[-1] in _SELECTING)


def _is_weaker(before: Mapping[str, str], now: Mapping[str, str]) -> bool:
    # Late: few changes edit settings, and all servers would keep the rules in memory.
    from gateline.integrity.change_view import Both
    from gateline.integrity.rules.settings_edited.settings import weakened_tools

    return "mypy" in weakened_tools(Both(_change(before, now)))


def _of_base(git: Git, base: Base) -> dict[str, str]:
    names = {name: f"{base.commit}:./{name}" for name in _FILES}
    blobs = git.blobs(names.values())
    return {name: blobs[at].decode() for name, at in names.items() if at in blobs}


def _on_disk(root: Path) -> dict[str, str]:
    files = ((name, root / name) for name in _FILES)
    return {name: file.read_text(encoding="utf-8") for name, file in files if file.is_file()}


def _change(before: Mapping[str, str], now: Mapping[str, str]) -> Change:
    rows = []
    for name in sorted({*before, *now}):
        if before.get(name) != now.get(name):
            old, new = (Document(name, side[name]) if name in side else None for side in (before, now))
            rows.append(FileChange.between(old, new))
    return Change("", "", others=tuple(rows))


def _read_by_mypy(texts: Mapping[str, str]) -> tuple[str, str]:
    from gateline.integrity.enforcement.settings import read

    for name in _FILES:
        if name in texts and any(tool == "mypy" for (tool, _), _ in read(Document(name, texts[name]))):
            return name, texts[name]
    return _FILES[0], _NONE


def _written(root: Path, name: str, text: str) -> Path:
    """A copy in the user's cache; paths that begin where the settings are still begin in the project."""
    for spelling in (f"${{{_FOLDER}}}", f"${_FOLDER}"):
        text = text.replace(spelling, str(root))
    file = user_cache() / "settings" / digest_of(text) / name
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return file
