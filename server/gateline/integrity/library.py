"""What is Python's own: its clocks and processes are not what a project's tests test."""

from __future__ import annotations

import sys


def is_pythons_own(whole: str) -> bool:
    """Whether a dotted name is of Python's own library."""
    return whole.partition(".")[0] in sys.stdlib_module_names
