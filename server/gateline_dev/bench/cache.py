"""Where downloads and environments are kept between runs; ignored by git."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

CACHE = Path(__file__).parents[3] / ".cache" / "bench"


def once(folder: Path, make: Callable[[Path], None]) -> None:
    """Make a folder whole or not at all: an interrupted run leaves nothing that looks finished."""
    making = folder.with_name(f"{folder.name}.part-{os.getpid()}")
    making.mkdir(parents=True)
    try:
        make(making)
        making.rename(folder)
    finally:
        shutil.rmtree(making, ignore_errors=True)
