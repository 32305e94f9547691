"""The unchanged files that a change matters to, as they are on disk.

A verdict follows the typing, and finding these takes git and a look at every file: they are looked for once
for each set of changed files, and again when files were written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatch
from operator import attrgetter
from pathlib import PurePosixPath
from threading import RLock

from cachetools import LRUCache

from gateline.integrity.file_roles import is_configuration, is_test
from gateline.model import Change, Document
from gateline.session.workspace.changes import Collector
from gateline.session.workspace.imports import Imports
from gateline.session.workspace.reading import read

_FIXTURES = "conftest.py"
"""The file whose fixtures and hooks are for all tests below it."""
_IN_QUOTES = re.compile(r"""["']((?:\w+\.)*\w+)\.\w+["']""")
"""A dotted name as tests write it that replace something; the module comes before its last part."""
_ON_OBJECT = re.compile(r"\b(?:setattr|patch\.object)\(\s*\w+,")
"""A part of something imported is replaced by its name alone."""
_IMPORTED = re.compile(r"^from ((?:\w+\.)*\w+) import ", re.MULTILINE)
_PATTERN = re.compile(r"(?:[\w-]+\*[\w*-]*|\*[*-]*\w[\w*-]*)\.py\b")
"""By which settings say in which files tests are."""
_KEPT = 4
"""Sets of changed files that are remembered: of the change, and of a single document."""

_Documents = dict[str, Document]
_Key = tuple[int, frozenset[str]]


class Surroundings:
    """What was found stays until files are written. Methods but `files_changed` block; any thread may ask."""

    def __init__(self, collector: Collector, imports: Imports) -> None:
        self._collector = collector
        self._imports = imports
        self._written = 0
        """How often files were written: part of each key, so that a search from before is never found."""
        self._lock = RLock()
        self._importers: LRUCache[_Key, list[Document]] = LRUCache(_KEPT)
        self._tests: LRUCache[_Key, _Documents] = LRUCache(_KEPT)

    def files_changed(self) -> None:
        """Files were written."""
        self._written += 1

    def importers(self, change: Change) -> list[Document]:
        """The files that import what the change touches."""
        key = self._key(change)
        with self._lock:
            found = self._importers.get(key)
            if found is None:
                files = self._collector.project_files() if key[1] else []
                found = self._importers[key] = self._imports.importers(key[1], files)
            return found

    def beyond(
        self, change: Change, importers: Sequence[Document], left_out: frozenset[str]
    ) -> list[Document]:
        """The files that import those `left_out`, beside the change and its `importers`.

        By them a checker may come to what it was not asked about.
        """
        known = {*self._key(change)[1], *(document.path for document in importers)}
        with self._lock:
            files = self._collector.project_files() if left_out else []
            found = self._imports.importers(left_out, files)
        return [document for document in found if document.path not in known]

    def tests(self, change: Change) -> _Documents:
        """The tests that import what the change touches, or that its fixtures are for.

        With the modules of which changed tests replace a part by its dotted name, and the files that settings
        looked for tests in, by a pattern that they do not have any more.
        """
        written, paths = self._key(change)
        named, patterns = _named(change), _patterns_lost(change)
        with self._lock:
            found = self._tests.get(key := (written, paths | named | patterns))
            if found is None:
                importing = {d.path: d for d in self.importers(change) if is_test(d.path)}
                beside = [
                    *self._below_fixtures(paths),
                    *self._modules(named, paths),
                    *self._fitting(patterns, paths),
                ]
                found = self._tests[key] = importing | self.documents(beside)
            return found

    def documents(self, paths: Sequence[str]) -> _Documents:
        """These files, as far as they can be read."""
        found = (read(self._collector.root, path, self._collector.max_size) for path in paths)
        return {d.path: d for d in found if isinstance(d, Document)}

    def _modules(self, named: frozenset[str], changed: frozenset[str]) -> list[str]:
        ends = tuple(f"/{name.replace('.', '/')}.py" for name in named)
        files = self._collector.project_files() if ends else []
        return [path for path in files if f"/{path}".endswith(ends) and path not in changed]

    def _fitting(self, patterns: frozenset[str], changed: frozenset[str]) -> list[str]:
        files = self._collector.project_files() if patterns else []
        fits = (p for p in files if any(fnmatch(PurePosixPath(p).name, pattern) for pattern in patterns))
        return [path for path in fits if path not in changed]

    def _below_fixtures(self, changed: frozenset[str]) -> list[str]:
        folders = tuple(path.removesuffix(_FIXTURES) for path in changed if path.endswith(_FIXTURES))
        below = [p for p in self._collector.project_files() if p.startswith(folders)] if folders else []
        return [path for path in below if is_test(path) and path not in changed]

    def _key(self, change: Change) -> _Key:
        paths = {row.path for row in change.files} | {row.base.path for row in change.files if row.base}
        return self._written, frozenset(paths)


def _named(change: Change) -> frozenset[str]:
    """The dotted names that stand in quotes in changed tests, without their last part.

    Of a test that replaces a part of something imported, also the modules that it imports from.
    """
    texts = [row.current.text for row in change.files if row.current and is_test(row.path)]
    quoted = frozenset(name for text in texts for name in _IN_QUOTES.findall(text))
    replacing = (text for text in texts if _ON_OBJECT.search(text))
    return quoted.union(*map(_IMPORTED.findall, replacing))


def _patterns_lost(change: Change) -> frozenset[str]:
    """The patterns of Python files that stood in a file of configuration, and do so no more."""
    rows = [row for row in change.others if row.base is not None and is_configuration(row.path)]
    before, now = (
        {pattern for row in rows if (side := pick(row)) for pattern in _PATTERN.findall(side.text)}
        for pick in (attrgetter("base"), attrgetter("current"))
    )
    return frozenset(before - now)
