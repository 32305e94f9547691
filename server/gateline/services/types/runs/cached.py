"""Which modules are in the cache that an engine is to start from."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from mypy.build import create_metastore, default_data_dir, get_cache_names
from mypy.modulefinder import BuildSource, FindModuleCache, compute_search_paths
from mypy.options import Options

from gateline.services.types.resident.closure import brings_many
from gateline.services.types.runs.overlay import Overlay


def lacks_many(options: Options, overlay: Overlay, sources: Sequence[BuildSource]) -> bool:
    """Whether the imports of these modules lead to many that the cache does not have.

    Raises sqlite3.Error where the cache cannot be read.
    """
    with closing(_CachedModules(options, overlay, sources)) as cached:
        return brings_many(cached, [(source.module, source.path) for source in sources if source.path])


class _CachedModules:
    """The modules of `options.cache_dir`, whether they are up to date or not. Is a `closure.Build`."""

    def __init__(self, options: Options, overlay: Overlay, sources: Sequence[BuildSource]) -> None:
        self._options = options
        self._overlay = overlay
        self._store = create_metastore(options, parallel_worker=False)
        self._finder = FindModuleCache(
            compute_search_paths(list(sources), options, default_data_dir()), overlay, options
        )

    def has(self, name: str) -> bool:
        """Whether a module is in the cache, as a file or a package."""
        return any(self._is_stored(name, file) for file in ("module.py", "__init__.py"))

    def find(self, name: str) -> str | None:
        """Where a module is that would be followed."""
        found = self._finder.find_module(name, fast_path=True)
        return found if isinstance(found, str) and follows(self._options, name, found) else None

    def read(self, path: str) -> bytes:
        """The content of a file or text."""
        return self._overlay.read(path)

    def close(self) -> None:
        """Let go of the cache."""
        self._store.close()

    def _is_stored(self, name: str, file: str) -> bool:
        try:
            self._store.getmtime(get_cache_names(name, file, self._options)[0])
        except OSError:
            return False
        return True


def follows(options: Options, name: str, path: str) -> bool:
    """Whether the project's settings have mypy read a module that is imported; stubs always are."""
    follow = options.clone_for_module(name).follow_imports
    return follow in ("normal", "silent") or path.endswith(".pyi")
