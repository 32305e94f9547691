"""Who asks the system for something: code that a test runs, a module while it is imported, or the machinery.

Only what the first two read, list and look for is an input of tests. What imports them, shows them or runs
them reads their sources, too, and says nothing else when a comment changes.
"""

from __future__ import annotations

import os
import sysconfig
from typing import Any, Callable

_IMPORTS = frozenset(["get_code", "_fill_cache", "find_spec", "exec_module", "load_module"])
"""Functions of the import system that read and list for themselves; `get_data` does so for others, too."""
_SHOWING = frozenset(["traceback", "warnings", "doctest", "pdb", "bdb", "faulthandler", "trace", "cgitb"])
"""Modules of the standard library that read code to show it, or to find examples in it."""
_SYSTEM = frozenset(["platform", "ctypes.util", "uuid", "sysconfig", "_osx_support", "_aix_support"])
"""Those that start programs to ask what system this is."""
_RUNNERS = frozenset(["_pytest", "pytest", "pluggy", "coverage", __name__.partition(".")[0]])
"""Packages that run tests and follow them."""


def standard() -> tuple[str, ...]:
    """Where the code of the standard library lies, each with a separator at its end."""
    found = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    return tuple(sorted({os.path.join(path, "") for path in found if path}))


class Asking:
    """Tells by the frames of a call; `ours` tells the project's files from those of libraries."""

    def __init__(self, ours: Callable[[str], bool]) -> None:
        self.runners = set(_RUNNERS)
        """Packages whose own reading of sources says nothing of tests."""
        self._ours = ours
        self._standard = standard()
        self._known: dict[str, tuple[bool, bool]] = {}
        """By file name: whether it is the standard library's, and whether it is the project's."""

    def reads(self, frame: Any) -> str | None:
        """The module that is being imported and reads a source, or lists a folder.

        "" for a test, or code that it calls. None where the machinery asks for itself.
        """
        while frame is not None and self._is_standard(frame):
            if _is_import(frame.f_code) or _shows(frame):
                return None
            frame = frame.f_back
        if frame is None or _module(frame).partition(".")[0] in self.runners:
            return None
        return self.imported(frame)

    def imported(self, frame: Any) -> str:
        """The module of the project that is being imported in these frames, the innermost; "" for none."""
        while frame is not None:
            code = frame.f_code
            filename: str = code.co_filename
            if code.co_name == "<module>" and self._is_ours(filename):
                return os.path.realpath(filename)
            frame = frame.f_back
        return ""

    def is_about_system(self, frame: Any) -> bool:
        """Whether the standard library asks what system this is."""
        while frame is not None and self._is_standard(frame):
            if _module(frame) in _SYSTEM:
                return True
            frame = frame.f_back
        return False

    def _is_standard(self, frame: Any) -> bool:
        return self._kind(frame.f_code.co_filename)[0]

    def _is_ours(self, filename: str) -> bool:
        return self._kind(filename)[1]

    def _kind(self, filename: str) -> tuple[bool, bool]:
        known = self._known.get(filename)
        if known is None:
            inside = filename.startswith(self._standard) and "-packages" + os.sep not in filename
            is_standard = inside or filename.startswith("<frozen ")
            is_ours = not is_standard and self._ours(os.path.realpath(filename))
            known = self._known[filename] = is_standard, is_ours
        return known


def _is_import(code: Any) -> bool:
    return code.co_name in _IMPORTS and bool(code.co_filename.startswith("<frozen"))


def _shows(frame: Any) -> bool:
    """Whether sources are read to show them; a look at the stack has a line of each file in it."""
    name = _module(frame)
    return name.partition(".")[0] in _SHOWING or (
        name == "inspect" and frame.f_code.co_name == "getframeinfo"
    )


def _module(frame: Any) -> str:
    name = frame.f_globals.get("__name__")
    return name if isinstance(name, str) else ""
