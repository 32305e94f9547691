"""Which modules are part of a resident build, and which would be new to it."""

from __future__ import annotations

from collections.abc import Iterable

from mypy.build import BuildManager, Graph
from mypy.options import Options

from gateline.services.types.resident import closure
from gateline.services.types.resident.closure import Module, imports_of
from gateline.services.types.runs.cached import follows


class InBuild:
    """The modules of one build. Is a `closure.Build`."""

    def __init__(self, options: Options, manager: BuildManager, graph: Graph) -> None:
        self._options = options
        self._manager = manager
        self._graph = graph
        self._passed_over: set[str] = set()
        """Names that are imported and are no modules of the build: mostly functions and classes."""

    def pass_over(self, modules: Iterable[Module]) -> None:
        """What these import and the build does not have was passed over: no edit will bring it."""
        names = (name for module in modules for name in imports_of(self, module))
        self._passed_over = {name for name in names if not self.has(name)}

    def would_grow_much(self, modules: Iterable[Module]) -> bool:
        """Whether these import too many new modules to take them in one by one."""
        return closure.brings_many(self, modules)

    def has(self, name: str) -> bool:
        """Whether a module is part of the build, or a name known to be none that would be."""
        return name in self._graph or name in self._passed_over

    def find(self, name: str) -> str | None:
        """Where a module is that would be followed; else the name is not looked for again."""
        found = self._manager.find_module_cache.find_module(name, fast_path=True)
        if isinstance(found, str) and follows(self._options, name, found):
            return found
        self._passed_over.add(name)
        return None

    def read(self, path: str) -> bytes:
        """The content of a file or text. Raises OSError."""
        return self._manager.fscache.read(path)
