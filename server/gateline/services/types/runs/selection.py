"""Which files the project's own settings of mypy select: what `mypy` in that folder would be run on.

mypy heeds `exclude`, `files`, `packages` and `modules` only where it looks for files itself. Here the files
are named, so the same is asked of each. An import may still lead to one that is left out, as in mypy.
"""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator

from mypy.modulefinder import (
    FindModuleCache,
    SearchPaths,
    matches_exclude,
    matches_gitignore,
    mypy_path,
)
from mypy.options import Options

from gateline.services.types.runs.installed import search_folders
from gateline.services.types.runs.overlay import Overlay
from gateline.services.types.runs.run import SettingsError

_PASSED_OVER = ("__pycache__", "site-packages", "node_modules")
"""Folders that mypy never looks into."""
_ENDINGS = (".pyi", ".py")


class Selection:
    """The files that mypy's options select. Paths are absolute; the working folder is the root."""

    def __init__(self, options: Options, overlay: Overlay, root: str) -> None:
        self._options = options
        self._overlay = overlay
        self._root = root
        self._named = [os.path.normpath(os.path.join(root, path)) for path in options.files or ()]
        self._named += self._found_modules(root) if options.packages or options.modules else ()
        self._narrows = bool(options.exclude or options.exclude_gitignore)
        self._starts = self._named or ([root] if self._narrows else [])
        """The files and folders that mypy would be given; none: every file counts."""

    def why_left_out(self, path: str) -> str:
        """Why mypy would not be run on the file at a path; "" when it would be, or nothing selects files."""
        if not self._starts or path in self._starts:
            return ""
        above = [start for start in self._starts if path.startswith(start.rstrip(os.sep) + os.sep)]
        reasons = [self._why_passed_over(start, path) for start in above]
        if "" in reasons:
            return ""
        return next(iter(reasons), f"mypy's settings do not select it ({self._keys})")

    @property
    def starts(self) -> list[str]:
        """The files and folders that mypy would be given."""
        return self._starts or [self._root]

    @property
    def _keys(self) -> str:
        return ", ".join(key for key in ("files", "packages", "modules") if getattr(self._options, key))

    def _why_passed_over(self, start: str, path: str) -> str:
        """Why mypy, which looks for files below `start`, does not take the one at `path`."""
        for part in _parts(start, path):
            name = os.path.basename(part)
            if name in _PASSED_OVER or name.startswith("."):
                return f"mypy ignores {name}"
            if self._is_excluded(part):
                return "mypy's settings exclude it (exclude)"
            if self._options.exclude_gitignore and matches_gitignore(part, self._overlay, False):
                return "mypy's settings exclude it (exclude_gitignore)"
        stub = f"{path}i"
        if path.endswith(".py") and self._overlay.isfile(stub) and not self._is_excluded(stub):
            return f"mypy reads {os.path.basename(stub)} instead"
        return ""

    def _is_excluded(self, path: str) -> bool:
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said):
                return matches_exclude(path, self._options.exclude, self._overlay, False)
        except SystemExit:
            raise SettingsError(said.getvalue().strip().split("\n")[0]) from None

    def _found_modules(self, root: str) -> Iterator[str]:
        """The folders of `packages`, and the files of `modules`."""
        own, installed = mypy_path() + self._options.mypy_path, search_folders(self._options)
        paths = SearchPaths((root,), tuple(own), tuple(installed), ())
        finder = FindModuleCache(paths, self._overlay, self._options)
        for name in (*(self._options.packages or ()), *(self._options.modules or ())):
            found = finder.find_module(name, fast_path=True)
            if isinstance(found, str):
                yield os.path.abspath(_folder(found) if name in (self._options.packages or ()) else found)


def _folder(found: str) -> str:
    """The folder of a package that was found by its `__init__`; a module's file as it is."""
    head, tail = os.path.split(found)
    return head if tail in [f"__init__{ending}" for ending in _ENDINGS] else found


def _parts(start: str, path: str) -> Iterator[str]:
    """The paths between a folder and a file below it, and the file's, from the outside in."""
    part = start
    for name in os.path.relpath(path, start).split(os.sep):
        part = os.path.join(part, name)
        yield part
