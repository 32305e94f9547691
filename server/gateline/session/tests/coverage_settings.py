"""Which settings of coverage hold: the base's. What a change leaves out of the count is itself a finding."""

from __future__ import annotations

from gateline.git import GitError
from gateline.session.workspace.base import EMPTY_TREE, SESSION, Base
from gateline.session.workspace.git import Git

_FILES = (".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml")
"""In the order in which coverage looks for its settings."""

Settings = tuple[tuple[str, str | None], ...]
"""Names and texts; None for a file that the base has not."""


def coverage_settings(git: Git | None, base: Base) -> Settings:
    """The files of the base that coverage may read; nothing where nothing was committed. Blocks."""
    if git is None or base.commit in (SESSION, EMPTY_TREE):
        return ()
    names = {name: f"{base.commit}:./{name}" for name in _FILES}
    try:
        blobs = git.blobs(names.values())
        return tuple((name, blobs[at].decode() if at in blobs else None) for name, at in names.items())
    except (GitError, UnicodeDecodeError):
        # Whatever is the matter with the files is told where they are read.
        return ()
