"""What is Python's own: its clocks and processes are not what a project's tests test."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from gateline.integrity.module import Module


def is_pythons_own(whole: str) -> bool:
    """Whether a dotted name is of Python's own library."""
    return whole.partition(".")[0] in sys.stdlib_module_names


def without_library(called: Mapping[str, str], module: Module) -> Mapping[str, str]:
    """What a file's tests call, by whole name, without what is imported from Python's own library."""
    return {
        whole: written
        for whole, written in called.items()
        if written.partition(".")[0] not in module.imports or not is_pythons_own(whole)
    }
