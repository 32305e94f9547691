"""What a collection left behind, and whether it still stands for the files as they are."""

from __future__ import annotations

import fnmatch
import os
import sys
import threading
from typing import Any, Iterable

from .configuration import NAMES, for_tests
from .contents.encodings import digest
from .contents.patch import Patch, Patcher, RefusedError
from .contents.texts import Texts, stamp
from .session import described
from .tracing.coverage import Coverage
from .tracing.touched import Touched


class State:
    """A collected session, and the patches that make it that of the newest texts."""

    def __init__(
        self,
        session: Any,
        texts: Texts,
        patcher: Patcher,
        coverage: Coverage | None,
        imported: dict[str, Any],
        touched: Touched,
        *,
        layered: bool,
    ) -> None:
        self.session = session
        self.coverage = coverage
        self.patches: list[Patch] = []
        self.edited: list[str] = []
        self._items = tuple(session.items)
        self._names = {item.nodeid for item in session.items}
        self._texts = texts
        self._patcher = patcher
        self._imported = imported
        self._threads = threading.active_count() - 1
        self._touched, self._opened = touched, touched.files()
        self._entries = {folder: _entries(folder) for folder in touched.folders()}
        self._collected = dict(texts.overlay)
        self._layered = layered
        self._stamps = {path: stamp(path) for path in self._watched()}
        self._folders = {folder: _sources(folder) for folder in self._source_folders()}

    def chosen(self, ids: list[str]) -> list[Any]:
        """The tests of these identifiers, in the order of the collection.

        As an ordinary pytest runs them: what one leaves behind, others may find. Some share an identifier.
        """
        wanted = set(ids)
        return [item for item in self._items if item.nodeid in wanted]

    def unknown(self, ids: list[str]) -> list[str]:
        """Those of these identifiers that no test has."""
        return [test for test in ids if test not in self._names]

    def told(self, errors: list[Any]) -> dict[str, Any]:
        """The collection in the words of the protocol."""
        return {
            "tests": [described(item, self._texts) for item in self._items],
            "errors": errors,
            "imported": self._imported,
            "touched": self._touched.told(self._texts.relative, sys.modules),
            "plugins": self._plugins(),
            "libraries": self._libraries(),
            "files": {**self._read(), **{path: digest(one.data) for path, one in self._loaded()}},
            "rootdir": str(self.session.config.rootpath),
            "surroundings": self._surroundings(),
            "pytest": sys.modules["pytest"].__version__,
            "coverage": self.coverage.version if self.coverage is not None else None,
            "threads": self._threads,
        }

    def _loaded(self) -> list[Any]:
        loaded = sorted(self._texts.loaded.items())
        return [(self._texts.relative(real), one) for real, one in loaded if self._texts.below(real)]

    def _read(self) -> dict[str, str]:
        """The digests of what files that were read while collecting say to tests, by path.

        Without a layer runs may write into them.
        """
        paths = {self._texts.relative(real): real for real in self._opened} if self._layered else {}
        found = {path: self._texts.newest(real) for path, real in sorted(paths.items()) if _is_data(path)}
        return {path: digest(for_tests(path, data)) for path, data in found.items() if data is not None}

    def _plugins(self) -> list[str]:
        """The project's files that pytest loaded as plug-ins, other than conftests."""
        plugins = self.session.config.pluginmanager.get_plugins()
        files = {getattr(plugin, "__file__", None) for plugin in plugins} - {None}
        real = {os.path.realpath(file) for file in files if isinstance(file, str)}
        paths = (self._texts.relative(one) for one in real if self._texts.below(one))
        return sorted(path for path in paths if os.path.basename(path) != "conftest.py")

    def _libraries(self) -> list[str]:
        """The top-level modules that were loaded from elsewhere."""
        tops = {name for name in list(sys.modules) if name.isidentifier()}
        ours = {name for name in tops if self._is_ours(sys.modules.get(name))}
        return sorted(tops - ours)

    def _is_ours(self, module: Any) -> bool:
        file = getattr(module, "__file__", None)
        found = file if isinstance(file, str) else next(iter(getattr(module, "__path__", ())), "")
        return self._texts.below(os.path.realpath(found)) if isinstance(found, str) and found else False

    def _surroundings(self) -> str:
        """A name of what matters to tests and is no code of modules, as it is now."""
        conftests = [path for path, _ in self._loaded() if os.path.basename(path) == "conftest.py"]
        return digest(repr((sorted(self._stamps.items()), conftests)).encode("utf-8", "surrogatepass"))

    def prepare(self) -> None:
        """Plan what a run needs. Raises RefusedError (the tests must be collected again) and BrokenError."""
        self._compare_surroundings()
        changes = list(self._texts.changes())
        for real, _ in changes:
            if not self._texts.below(real):
                raise RefusedError(real + " changed")
        self.patches = [self._patcher.plan(real, data) for real, data in changes]
        self.edited = [real for real, _ in changes]

    def digests(self) -> dict[str, str]:
        """The contents of the files that are not as they were collected, by path."""
        contents = {real: self._texts.current(real) for real in self.edited}
        return {
            self._texts.relative(real): digest(data) for real, data in contents.items() if data is not None
        }

    def _compare_surroundings(self) -> None:
        """What is not imported may matter as well. Raises RefusedError."""
        for path, before in self._stamps.items():
            if stamp(path) != before:
                raise RefusedError(f"{self._texts.relative(path)} changed")
        for look, what, folders in (
            (_sources, "modules", self._folders),
            (_entries, "entries", self._entries),
        ):
            changed = next((folder for folder, names in folders.items() if look(folder) != names), None)
            if changed is not None:
                name = self._texts.relative(changed) or "the project"
                raise RefusedError(f"the {what} of {name} changed")
        # Without a layer nothing but imports sees unsaved texts: another collection would not help.
        if self._layered:
            for real in (self._texts.overlay.keys() | self._collected.keys()) - self._texts.loaded.keys():
                self._not_imported(real)

    def _not_imported(self, real: str) -> None:
        """A text over a file that no import read: that does not matter before a test imports or opens it."""
        name, path = os.path.basename(real), self._texts.relative(real)
        now = self._texts.newest(real)
        then = self._collected.get(real, self._texts.saved(real))
        if now == then:
            return
        if real in self._opened or name in NAMES:
            raise RefusedError(f"{path} changed after the tests read it while they were collected")
        if (now is None or then is None) and os.path.dirname(real) in self._entries:
            raise RefusedError(
                f"{path} was {'deleted' if now is None else 'added'} in a folder that the tests listed"
            )
        if name == "conftest.py" or self._holds_tests(name):
            raise RefusedError(f"{path} was not collected")
        if name.endswith(".py") and (now is None or then is None):
            raise RefusedError(f"{path} was {'deleted' if now is None else 'added'}")

    def _holds_tests(self, name: str) -> bool:
        patterns: Iterable[str] = self.session.config.getini("python_files")
        return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)

    def _watched(self) -> set[str]:
        """Files that were read, configuration, and folders of installed libraries."""
        texts = self._texts
        configuration = {os.path.join(texts.root, name) for name in NAMES}
        libraries = {path for path in sys.path if os.path.isdir(path) and not texts.below(_inside(path))}
        return self._opened | configuration | libraries

    def _source_folders(self) -> set[str]:
        folders = {os.path.dirname(real) for real in self._texts.loaded if self._texts.below(real)}
        searched = {os.path.realpath(path) for path in sys.path if os.path.isdir(path)}
        return folders | {path for path in searched if self._texts.below(_inside(path))}


def _is_data(path: str) -> bool:
    """Whether a file that was read says something to tests: no tool keeps its state there."""
    return not any(folder.startswith(".") for folder in path.split("/")[:-1])


def _entries(folder: str) -> frozenset[str]:
    """What listing a folder says, without what Python and tools leave there."""
    try:
        return frozenset(name for name in os.listdir(folder) if not name.startswith((".", "__pycache__")))
    except OSError:
        return frozenset()


def _inside(folder: str) -> str:
    return os.path.join(os.path.realpath(folder), "")


def _sources(folder: str) -> frozenset[str]:
    """The names by which modules can be imported from a folder. Temporary files of editors are none."""
    try:
        with os.scandir(folder) as entries:
            return frozenset(entry.name for entry in entries if _importable(entry))
    except OSError:
        return frozenset()


def _importable(entry: os.DirEntry[str]) -> bool:
    name = entry.name
    return name.endswith(".py") or (name.isidentifier() and not name.startswith("__") and entry.is_dir())
