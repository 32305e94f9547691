"""Module names and the files of a workspace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import PurePosixPath


def module_of(path: str, paths: Sequence[str]) -> str:
    """The dotted name by which a file is imported: from the topmost folder that is no package."""
    return _module(path, frozenset(_packages(tuple(paths))))


def package_of(path: str, paths: Sequence[str]) -> str:
    """The package in which relative imports of a file start; "" outside of packages."""
    name = module_of(path, paths)
    return name if PurePosixPath(path).stem == "__init__" else name.rpartition(".")[0]


@lru_cache(maxsize=8)
def _packages(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(p.rpartition("/")[0] for p in paths if p.endswith(("/__init__.py", "/__init__.pyi")))


def _module(path: str, packages: frozenset[str]) -> str:
    place = PurePosixPath(path)
    parts = [] if place.stem == "__init__" else [place.stem]
    folder = place.parent
    while str(folder) in packages:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)


def workspace_modules(paths: Sequence[str]) -> dict[str, str]:
    """The modules of a workspace, with their files. Of two with one name the shorter path wins."""
    return _modules(tuple(paths))


@lru_cache(maxsize=4)
def _modules(paths: tuple[str, ...]) -> dict[str, str]:
    packages = frozenset(_packages(paths))
    found: dict[str, str] = {}
    for path in sorted((p for p in paths if p.endswith(".py")), key=len):
        found.setdefault(_module(path, packages), path)
    return {name: path for name, path in found.items() if name}


def absolute(module: str, path: str, paths: Sequence[str]) -> str | None:
    """The full name of what a file imports as `module`, dots in front; None when it leads outside."""
    name = module.lstrip(".")
    level = len(module) - len(name)
    if level == 0:
        return name
    parts = package_of(path, paths).split(".")
    if parts == [""] or level > len(parts):
        return None
    return ".".join([*parts[: len(parts) - level + 1], *([name] if name else [])])


def parents(module: str) -> Iterator[str]:
    """A module and the packages that hold it, innermost first."""
    while module:
        yield module
        module = module.rpartition(".")[0]
