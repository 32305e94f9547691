"""What is Python's own: its clocks and processes are not what a project's tests test."""

from __future__ import annotations

import sys
from collections.abc import Container, Mapping

_TESTING = frozenset({"pytest"})


def is_pythons_own(whole: str) -> bool:
    """Whether a dotted name is of Python's own library."""
    return whole.partition(".")[0] in sys.stdlib_module_names


def without_pythons(called: Mapping[str, str], imported: Container[str]) -> Mapping[str, str]:
    """What is called, by whole name, without Python's own if anything imported from elsewhere is.

    Where nothing is, Python's own stands for what is tested.
    """
    heads = {whole.partition(".")[0] for whole, name in called.items() if name.partition(".")[0] in imported}
    if all(is_pythons_own(head) for head in heads - _TESTING):
        return called
    return {whole: name for whole, name in called.items() if not is_pythons_own(whole)}
