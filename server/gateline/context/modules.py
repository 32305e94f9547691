"""Which files of the workspace an import means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from functools import cached_property

from gateline.context.segment import File
from gateline.context.values import Import

_MOST_ROOTS = 40
_Hands = tuple[dict[str, list[tuple[str, str]]], list[str]]


class Modules:
    """From dotted names to files. A folder from which imports start is one above a package, or beside it."""

    def __init__(self, files: Mapping[str, File]) -> None:
        self._files = files
        self._packages = {path.rpartition("/")[0] for path in files if path.endswith("__init__.py")}
        self._found: dict[tuple[str, str], str | None] = {}
        self._imported: dict[str, frozenset[str]] = {}
        self._handed: dict[str, _Hands] = {}
        self._roots = sorted({self._root(path) for path in files if path.endswith((".py", ".pyi"))})

    def after(self, files: Mapping[str, File]) -> Modules:
        """The same for files of which some have changed: what is known of the others stays."""
        if files.keys() != self._files.keys():
            return Modules(files)
        made = copy(self)
        made.__dict__.pop("_importers", None)
        made._files = files
        known = self._imported.keys() & files.keys()
        same = {path for path in known if files[path].listed == self._files[path].listed}
        made._imported = {path: self._imported[path] for path in same}
        made._handed = {path: hands for path, hands in self._handed.items() if path in same}
        return made

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders from which imports start, the outermost first; some forty at most."""
        found = sorted(self._roots, key=lambda root: (root.count("/"), root))[:_MOST_ROOTS]
        # Where the workspace is a package itself, imports start above it.
        return tuple(".." if root == "" in self._packages else root for root in found)

    def _root(self, path: str) -> str:
        folder = path.rpartition("/")[0]
        while folder in self._packages and folder:
            folder = folder.rpartition("/")[0]
        return folder

    def find(self, dotted: str, importer: str) -> str | None:
        """The file that `dotted` means in the file `importer`; None for one outside of the workspace."""
        if dotted.startswith("."):
            dots = len(dotted) - len(dotted.lstrip("."))
            base = importer
            for _ in range(dots):
                base = base.rpartition("/")[0]
            return self._below(base, dotted.lstrip("."))
        own = self._root(importer)
        if (own, dotted) not in self._found:
            self._found[own, dotted] = self._absolute(own, dotted)
        return self._found[own, dotted]

    def _absolute(self, own: str, dotted: str) -> str | None:
        found = next((p for root in (own, *self._roots) if (p := self._below(root, dotted))), None)
        if found is None and "" in self._packages:
            # The workspace is a package itself, and what it is called stands above it.
            return self._below("", dotted.partition(".")[2])
        return found

    def _below(self, root: str, dotted: str) -> str | None:
        path = "/".join(filter(None, (root, *dotted.split("."))))
        tried = (f"{path}/__init__.py", f"{path}.py", f"{path}.pyi") if path else ("__init__.py",)
        return next((candidate for candidate in tried if candidate in self._files), None)

    def meant(self, one: Import, importer: str) -> list[str]:
        """The files that one import may mean: the module, and a submodule that it names."""
        found = (self.find(one.module, importer), self.submodule(one, importer))
        return [path for path in found if path is not None]

    def submodule(self, one: Import, importer: str) -> str | None:
        """The file that the name means which an import takes from a package; None when it is no module."""
        if one.name in ("", "*"):
            return None
        dot = "" if one.module.endswith(".") else "."
        return self.find(f"{one.module}{dot}{one.name}", importer)

    def imported(self, path: str) -> frozenset[str]:
        """The files that a file imports; through a package's own file also what that imports."""
        direct = self._direct(path)
        through = {p for package in direct if package.endswith("__init__.py") for p in self._direct(package)}
        return (direct | through) - {path}

    def handed(self, path: str, name: str) -> list[tuple[str, str]]:
        """The names and files that a name of a file stands for, where the file imports it."""
        if path not in self._handed:
            self._handed[path] = self._hands(path)
        named, starred = self._handed[path]
        return [*named.get(name, ()), *((name, module) for module in starred)]

    def _hands(self, path: str) -> _Hands:
        """By name what a file imports under it, and the modules of which it imports everything."""
        named: dict[str, list[tuple[str, str]]] = {}
        starred: list[str] = []
        file = self._files.get(path)
        for one in file.imports if file is not None else ():
            module = self.find(one.module, path) if one.name else None
            if module is not None and one.name == "*":
                starred.append(module)
            elif module is not None:
                named.setdefault(one.alias, []).append((one.name, module))
        return named, starred

    def importers(self, path: str) -> set[str]:
        """The files that import a file by its own name, or a name from it."""
        return self._importers.get(path, set()) - {path}

    @cached_property
    def _importers(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for other in self._files:
            for path in self._direct(other):
                found.setdefault(path, set()).add(other)
        return found

    def _direct(self, path: str) -> frozenset[str]:
        known = self._imported.get(path)
        if known is None:
            file = self._files.get(path)
            imports: Iterable[Import] = file.imports if file else ()
            known = frozenset(meant for one in imports for meant in self.meant(one, path))
            self._imported[path] = known
        return known
