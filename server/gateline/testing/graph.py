"""Which files can feel that another one is imported: what tests fall back on where nothing was measured."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from gateline.model import digest_of
from gateline.model.imports import imported_names, module_names, named_modules

_CONFTEST = "conftest.py"
_AROUND = (_CONFTEST, "__init__.py")
_UNKNOWN: Mapping[str, str] = MappingProxyType({})


class ImportGraph:
    """The imports of a project's Python files."""

    def __init__(self) -> None:
        self._digests: dict[str, str] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._importers: dict[str, frozenset[str]] | None = None
        self._plugins: tuple[str, ...] = ()

    def plug_in(self, paths: Iterable[str]) -> None:
        """Files that pytest loaded as plug-ins: like a conftest above all others."""
        self._plugins, self._importers = tuple(paths), None

    def update(self, texts: Mapping[str, str | None], digests: Mapping[str, str] = _UNKNOWN) -> None:
        """Take in files that are new or other ones; None for one that is gone.

        The digests of contents are worked out where they are not given.
        """
        for path, text in texts.items():
            if text is None:
                self._forget(path)
            elif self._digests.get(path) != (digest := digests.get(path) or digest_of(text)):
                self._learn(path, text, digest)

    def reaching(self, paths: Iterable[str]) -> frozenset[str]:
        """These files, and all that import one of them, directly or through others."""
        if self._importers is None:
            self._importers = self._linked()
        found = set(paths)
        # One that is gone is in no text any more; who imports it still names it.
        found |= {one for path in found - self._names.keys() for one in self._naming(path)}
        waiting = list(found)
        while waiting:
            more = self._importers.get(waiting.pop(), frozenset()) - found
            found |= more
            waiting += more
        return frozenset(found)

    def _forget(self, path: str) -> None:
        if self._digests.pop(path, None) is not None:
            del self._names[path]
            self._importers = None

    def _learn(self, path: str, text: str, digest: str) -> None:
        source = text.encode("utf-8", "surrogatepass")
        names = frozenset((*imported_names(path, source), *named_modules(source)))
        if path not in self._names or self._names[path] != names:
            self._importers = None
        self._digests[path], self._names[path] = digest, names

    def _naming(self, path: str) -> Iterator[str]:
        """The files that import one that is not there."""
        own = frozenset(_own_names(path))
        for importer, names in self._names.items():
            if not own.isdisjoint(names) or not own.isdisjoint(_around(importer)):
                yield importer

    def _linked(self) -> dict[str, frozenset[str]]:
        """By path, the files that import it directly."""
        files: dict[str, list[str]] = {}
        for path in self._names:
            for name in _own_names(path):
                files.setdefault(name, []).append(path)
        found: dict[str, set[str]] = {}
        for path, names in self._names.items():
            for imported in (*names, *_around(path)):
                for target in files.get(imported, ()):
                    found.setdefault(target, set()).add(path)
            for plugin in self._plugins:
                found.setdefault(plugin, set()).add(path)
        return {path: frozenset(importers) for path, importers in found.items()}


def _own_names(path: str) -> Iterator[str]:
    """By which names a file may be imported; by its path what is imported with others in its folder."""
    if PurePosixPath(path).name in _AROUND:
        yield path
    # The last part alone would make a file `json.py` of any package the standard library's.
    yield from (name for name in module_names(path) if name not in sys.stdlib_module_names)


def _around(path: str) -> Iterator[str]:
    """The paths of what is imported before this file: conftests by pytest, and the packages it is in."""
    for folder in PurePosixPath(path).parents:
        for name in _AROUND:
            yield (folder / name).as_posix()
