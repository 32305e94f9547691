"""How mypy is run in a workspace. Imports little: it is asked for before sessions are imported."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from gateline.model import digest_of
from gateline.services.types.messages import Setup
from gateline.session.stand_in import stand_in
from gateline.store.folders import types_record, user_cache


def type_setup(root: Path, python: str, *, trusted: bool) -> Setup:
    """With plug-ins where the workspace is trusted, and the project's own settings. Blocks.

    An interpreter of the workspace runs only where that is trusted.
    """
    if not trusted:
        python = stand_in(python, root, user_cache() / "interpreters")
    cache, record = types_cache(root, python), types_record(root)
    return Setup(str(root), python, str(cache), plugins=trusted, trusted=trusted, record=str(record))


def types_cache(root: Path, python: str) -> Path:
    """Where mypy remembers this project: in the user's cache, never in the project."""
    key = "\0".join((str(root.resolve()), python, version("mypy"), version("ast-serialize")))
    return user_cache() / "mypy" / digest_of(key)
