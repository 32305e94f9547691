"""Which files import a changed one: a change can break them without touching them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from gateline.model import Document
from gateline.model.imports import imported_names, module_names
from gateline.session.workspace.reading import read

MOST = 300
"""More importers than these are left out: the first by path are checked."""


@dataclass(frozen=True, slots=True)
class _Scanned:
    """The dotted names a file imports, and the file's time and size when it was read."""

    stamp: tuple[int, int]
    names: frozenset[str]


class Imports:
    """The imports of a project's files; a file is read again only when its time or size changed."""

    def __init__(self, root: Path, max_size: int) -> None:
        self.root = root
        self.max_size = max_size
        self._known: dict[str, _Scanned] = {}

    def importers(self, changed: Iterable[str], files: Sequence[str]) -> list[Document]:
        """Those of `files` that import one of the `changed` paths, as they are on disk. Blocks.

        A package's `__init__` may hand on what it imports, so its own importers are among them.
        """
        paths = set(changed)
        waiting, found = set(paths), dict[str, None]()
        while waiting:
            wanted = {name for path in waiting for name in module_names(path)}
            more = [f for f in files if f not in paths and not wanted.isdisjoint(self._imported(f))]
            found |= dict.fromkeys(more)
            paths.update(more)
            waiting = {path for path in more if PurePosixPath(path).stem == "__init__"}
        texts = (read(self.root, path, self.max_size) for path in sorted(found)[:MOST])
        return [document for document in texts if isinstance(document, Document)]

    def _imported(self, path: str) -> frozenset[str]:
        try:
            status = (self.root / path).stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._known.get(path)
            if known is None or known.stamp != stamp:
                data = (self.root / path).read_bytes() if stamp[1] <= self.max_size else b""
                known = self._known[path] = _Scanned(stamp, frozenset(imported_names(path, data)))
        except OSError:
            return frozenset()
        return known.names
