"""Whether a candidate breaks the interface of the packages it changes: found by griffe, which runs nothing.

griffe comes with the extra `gateline[api]`; without it the criterion is not measured.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gateline.testing.naming import is_tests

if TYPE_CHECKING:
    from griffe import Alias, Module, Object

log = logging.getLogger(__name__)

_UNREADABLE = (ImportError, KeyError, OSError, RecursionError, SyntaxError, ValueError)
_KINDS = frozenset({"async", "staticmethod", "classmethod", "property"})
"""How a function is called; griffe does not compare that."""


def breakages(base: Path, candidate: Path, paths: Sequence[str]) -> tuple[str, ...] | None:
    """What a user of changed packages would have to change; None where griffe is missing. Blocks.

    `base` and `candidate` are work trees, `paths` the files that differ between them.
    """
    try:
        import griffe
    except ImportError:
        return None
    found: set[str] = set()
    for folder, package in sorted({_package(base, path) for path in paths if _is_code(base, path)}):
        try:
            before, after = (
                griffe.load(package, search_paths=[root / folder], allow_inspection=False)
                for root in (base, candidate)
            )
            found |= {
                f"{one.obj.path}: {one.kind.value}" for one in griffe.find_breaking_changes(before, after)
            }
            if isinstance(before, griffe.Module) and isinstance(after, griffe.Module):
                found |= set(_missed(before, after))
        except (*_UNREADABLE, griffe.GriffeError) as error:
            log.info("the interface of %s cannot be compared: %s", package, error)
            return None
    return tuple(sorted(found))


def _is_code(base: Path, path: str) -> bool:
    return path.endswith(".py") and not is_tests(path) and (base / path).is_file()


def _package(root: Path, path: str) -> tuple[str, str]:
    """The folder that a file's package is imported from, relative to the root, and its name."""
    place = root / path
    top = place if place.name != "__init__.py" else place.parent
    while top.parent != root and (top.parent / "__init__.py").is_file():
        top = top.parent
    return top.parent.relative_to(root).as_posix(), top.stem if top.is_file() else top.name


def _missed(before: Module, after: Module) -> Iterator[str]:
    """Breakages that griffe does not look for: how functions are called, and names taken from `__all__`."""
    exports = {module.path: _exports(module) for module in _modules(after)}
    for module in _modules(before):
        gone = _exports(module) - exports.get(module.path, set())
        yield from (f"{module.path}.{name}: no longer in __all__" for name in gone)
    theirs = {one.path: one for one in _functions(after)}
    for mine in _functions(before):
        other = theirs.get(mine.path)
        if other is None or mine.labels & _KINDS == other.labels & _KINDS:
            continue
        was, now = (" ".join(sorted(one.labels & _KINDS)) or "plain" for one in (mine, other))
        yield f"{mine.path}: was {was}, is {now}"


def _exports(module: Module) -> set[str]:
    return {str(name) for name in module.exports or ()}


def _modules(module: Module) -> Iterator[Module]:
    yield module
    for member in module.modules.values():
        yield from _modules(member)


def _functions(parent: Object | Alias) -> Iterator[Object | Alias]:
    """All public functions and properties below."""
    for member in parent.members.values():
        if member.is_alias or not member.is_public:
            continue
        if member.is_function or member.is_attribute:
            yield member
        elif member.is_class or member.is_module:
            yield from _functions(member)
