"""Imports from a copy of the project, in an environment in which the project itself is installed."""

from __future__ import annotations

import os
import sys
from typing import Any


def redirect(old: str, new: str) -> None:
    """Import from `new` what is imported from `old`, also through editable installs, and in programs."""
    old = os.path.realpath(old)

    def moved(path: Any) -> Any:
        real = os.path.realpath(path) if isinstance(path, str) and path else path
        inside = isinstance(real, str) and (real == old or real.startswith(os.path.join(old, "")))
        # An environment in the folder is no part of the copy.
        return new + real[len(old) :] if inside and not real.startswith(_environment()) else path

    before = list(sys.path)
    sys.path[:] = [moved(path) for path in sys.path]
    folders = [path for path in sys.path if path not in before]
    for mapping in _mappings():
        for name, path in list(mapping.items()):
            mapping[name] = [moved(one) for one in path] if isinstance(path, list) else moved(path)
            if isinstance(path, str) and mapping[name] != path:
                folders.append(os.path.dirname(mapping[name]))
    known = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    kept = [*dict.fromkeys(folders), *(moved(path) for path in known if path)]
    if kept:
        os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(kept))
    sys.path_importer_cache.clear()


def _environment() -> str:
    return os.path.join(os.path.realpath(sys.prefix), "")


def _mappings() -> list[dict[str, Any]]:
    """Where the finders of editable installs look, by module: setuptools keeps that in globals."""
    names = [getattr(finder, "__module__", "") for finder in sys.meta_path]
    modules = [sys.modules[name] for name in names if name.startswith("__editable__") and name in sys.modules]
    found = [getattr(module, name, None) for module in modules for name in ("MAPPING", "NAMESPACES")]
    return [one for one in found if isinstance(one, dict)]
