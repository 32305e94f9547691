"""Where things are kept: with the user, never in the project."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from platformdirs import user_cache_path, user_state_path

DATABASE = "worklog.sqlite3"
LEASE = "leader.lock"


def user_state() -> Path:
    """The folder of what must not be lost."""
    return user_state_path("gateline", appauthor=False)


def user_cache() -> Path:
    """The folder of what can be made again."""
    return user_cache_path("gateline", appauthor=False)


def state_of(root: Path, folder: Path | None = None) -> Path:
    """The state folder of the workspace at `root`: named like it, and told from others of its name."""
    base = folder or user_state()
    path = root.resolve()
    name = re.sub(r"[^\w.-]+", "-", path.name)[:40] or "root"
    return (
        base
        / "workspaces"
        / f"{name}-{hashlib.sha256(str(path).encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"
    )


def context_of(root: Path, folder: Path | None = None) -> Path:
    """The folder of the index of the workspace at `root`."""
    base = folder or user_cache()
    return base / "context" / state_of(root, base).name


def types_record(root: Path) -> Path:
    """The file that says how types were last checked in the workspace at `root`."""
    base = user_cache()
    return base / "mypy" / f"{state_of(root, base).name}.json"
