"""What the project told bandit, ruff and detect-secrets, as the base has it; the change's own edits wait."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gateline.git import GitError
from gateline.session.workspace.base import EMPTY_TREE, SESSION, Base
from gateline.session.workspace.git import Git

BANDIT = ("pyproject.toml", ".bandit", "bandit.yaml", "bandit.yml", ".bandit.yaml", ".bandit.yml")
RUFF = ("ruff.toml", ".ruff.toml")
BASELINE = ".secrets.baseline"
_FILES = (*BANDIT, *RUFF, BASELINE)
_LARGEST = 5_000_000


def security_settings(root: Path, git: Git | None, base: Base | None) -> Mapping[str, str]:
    """The texts of these files by name, of the base; of the disk where there is no commit. Blocks."""
    try:
        if git is None or base is None or base.commit in (SESSION, EMPTY_TREE):
            found = {name: file.read_bytes() for name in _FILES if (file := root / name).is_file()}
        else:
            names = {name: f"{base.commit}:./{name}" for name in _FILES}
            blobs = git.blobs(names.values())
            found = {name: blobs[at] for name, at in names.items() if at in blobs}
    except (GitError, OSError):
        # Whatever is the matter with them is told where they are read.
        return {}
    return {
        name: data.decode("utf-8", "replace").removeprefix("\ufeff")
        for name, data in found.items()
        if len(data) <= _LARGEST
    }
