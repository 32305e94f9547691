"""Colours and progress: on a terminal, and nowhere else."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO


def wants_colour(choice: str, stream: TextIO) -> bool:
    """Whether to write colours; `auto` does as NO_COLOR, FORCE_COLOR and the stream say."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def width() -> int:
    """The terminal's columns; 100 where there is no terminal."""
    return shutil.get_terminal_size((100, 24)).columns


@contextmanager
def progress(quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """A function that tells a step. It shows on standard error when that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda _step: None
        return
    from rich.console import Console

    with Console(stderr=True).status("looking at the change") as status:
        yield status.update
