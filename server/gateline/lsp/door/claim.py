"""The claim to be a workspace's one engine, made before anything heavy is imported."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import portalocker

from gateline.resident.places import make_own, workspace_folder


def claimed(root: Path) -> IO[str] | None:
    """The lock, which the system frees however its process ends; None where another engine has it.

    Raises OSError, PlaceError.
    """
    folder = workspace_folder(str(root))
    make_own(folder)
    file = Path(folder, "engine.lock").open("w", encoding="utf-8")  # noqa: SIM115 - held until the end
    try:
        portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
    except portalocker.LockException:
        file.close()
        return None
    return file
