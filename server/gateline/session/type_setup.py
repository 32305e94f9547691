"""How mypy is run in a workspace. Imports little: it is asked for before sessions are imported."""

from __future__ import annotations

import contextlib
from importlib.metadata import version
from pathlib import Path

from gateline.model import digest_of
from gateline.services.types.messages import Setup
from gateline.session.stand_in import stand_in
from gateline.store.folders import types_record, user_cache

_NOTHING = b"{}"
"""A record that says nothing."""


def type_setup(root: Path, python: str, *, trusted: bool) -> Setup:
    """With plug-ins where the workspace is trusted, and the project's own settings. Blocks.

    An interpreter of the workspace runs only where that is trusted.
    """
    if not trusted:
        python = stand_in(python, root, user_cache() / "interpreters")
    cache, record = types_cache(root, python), types_record(root)
    return Setup(str(root), python, str(cache), plugins=trusted, trusted=trusted, record=str(record))


def remember_without_mypy(root: Path) -> None:
    """Keep that mypy does not check types here: nothing is built for the next start. Blocks."""
    record = types_record(root)
    with contextlib.suppress(OSError):
        if not is_without_mypy(root):
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_bytes(_NOTHING)


def is_without_mypy(root: Path) -> bool:
    """Whether mypy did not check types the last time. Blocks."""
    try:
        return types_record(root).read_bytes() == _NOTHING
    except OSError:
        return False


def types_cache(root: Path, python: str) -> Path:
    """Where mypy remembers this project: in the user's cache, never in the project."""
    key = "\0".join((str(root.resolve()), python, version("mypy"), version("ast-serialize")))
    return user_cache() / "mypy" / digest_of(key)
