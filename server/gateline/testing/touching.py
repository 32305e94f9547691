"""What changed in a project since a test ran, in the terms in which tests touch it."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from gateline.model.imports import module_names
from gateline.testing.trace import Touched

_PYTHON = (".py", ".pyw", ".pyi")
_MODULES = (".py", ".so", ".pyd")
_INIT = "__init__.py"
_MENTIONED = 50
"""New or removed files whose names are looked for in texts."""


@dataclass(frozen=True)
class Changes:
    """The files that are not as they were at one moment."""

    then: Mapping[str, str | None]
    """Their digests at that moment; None for one that was not there."""
    files: Mapping[str, str]
    """All files of the project, as they are."""
    texts: Mapping[str, str]
    """Of Python files."""
    libraries: Collection[str]
    """Top-level modules that were loaded from elsewhere."""

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """All of them."""
        return tuple(sorted(self.then))

    @cached_property
    def data(self) -> tuple[str, ...]:
        """Those that are no Python."""
        return tuple(path for path in self.changed if not path.endswith(_PYTHON))

    @cached_property
    def come(self) -> tuple[str, ...]:
        """Those that were not there."""
        return tuple(path for path in self.changed if self.then[path] is None)

    @cached_property
    def moved(self) -> tuple[str, ...]:
        """Those that were not there, and those that are gone."""
        return tuple(path for path in self.changed if self.then[path] is None or path not in self.files)

    @cached_property
    def folders(self) -> Mapping[str, str]:
        """The folders that hold other names, each with a path that came or went."""
        kept = {folder for path in self.files.keys() - set(self.come) for folder in _above(path)}
        found: dict[str, str] = {}
        for path in self.moved:
            for folder in _above(path):
                found.setdefault(folder, path)
                if folder in kept:
                    break
        return found

    @cached_property
    def names(self) -> Mapping[str, str]:
        """The names by which new modules can be imported, and packages that they bring, each with a path."""
        found: dict[str, str] = {}
        for path in self.come:
            if path.endswith(_MODULES):
                for name in module_names(_plain(path)):
                    for above in _with_parents(name):
                        found.setdefault(above, path)
        return found

    @cached_property
    def shadowing(self) -> tuple[str, ...]:
        """New modules that may stand before one of the standard library, or an installed one."""
        return tuple(path for path in self.come if self._shadows(path))

    def probed(self, executed: Collection[str], read: Iterable[str]) -> Iterator[str]:
        """Paths that came or went and that code may have looked for without opening them.

        That it asked whether one is there leaves no record: it counts where the code stands beside it, or
        was given another file of that name.
        """
        if not self.moved:
            return
        beside = {_folder(path) for path in executed}
        alike = {PurePosixPath(path).name for path in read}
        for path in self.moved:
            is_data = not path.endswith(_PYTHON)
            if (is_data and _folder(path) in beside) or PurePosixPath(path).name in alike:
                yield path

    @cached_property
    def mentions(self) -> Mapping[str, str]:
        """Python files whose text holds the name of a file that came or went, each with its path."""
        found: dict[str, str] = {}
        names = {PurePosixPath(path).name: path for path in self.moved if not path.endswith(_INIT)}
        for name, path in list(names.items())[:_MENTIONED]:
            for file, text in self.texts.items():
                if name in text:
                    found.setdefault(file, path)
        return found

    def of(self, touched: Touched) -> Iterator[tuple[str, str]]:
        """What of these changes code touched: `reads`, `lists` or `seeks`, and a path."""
        yield from (("reads", path) for path in touched.read if path in self.then)
        yield from (("lists", folder) for folder in touched.listed if folder in self.folders)
        yield from (("seeks", self.names[name]) for name in touched.sought if name in self.names)

    def _shadows(self, path: str) -> bool:
        file = PurePosixPath(path)
        module = file.parent if file.name == _INIT else file
        if file.suffix != ".py" or (module.parent / _INIT).as_posix() in self.files:
            return False
        return module.stem in sys.stdlib_module_names or module.stem in self.libraries


def _above(path: str) -> Iterator[str]:
    """The folders above a path, the nearest first; "" is the root."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _plain(path: str) -> str:
    """The path of a module without what says for which interpreter it was built."""
    file = PurePosixPath(path)
    return (file.parent / f"{file.name.partition('.')[0]}.py").as_posix()


def _with_parents(name: str) -> Iterator[str]:
    parts = name.split(".")
    return (".".join(parts[:end]) for end in range(1, len(parts) + 1))
