"""Which rows a name in a file can mean, as far as the text of the file says it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gateline.context.index import View
from gateline.context.segment import Mask
from gateline.context.values import Import, Kind

_DEEPEST = 6
"""Steps from a class to its bases."""


@dataclass(frozen=True)
class Scope:
    """What is in sight at a place: the file, its imports, the class around."""

    view: View
    path: str
    owner: str = ""
    """The name of the class around the place."""
    function: str = ""
    """The short name of the function around the place."""

    @cached_property
    def imports(self) -> Mapping[str, Import]:
        """The imports of the file by the names that they have there."""
        file = self.view.files.get(self.path)
        return {one.alias: one for one in file.imports} if file else {}

    @cached_property
    def file(self) -> Mask:
        """The rows of the file itself."""
        number = self.view.file_numbers.get(self.path, -1)
        found: Mask = self.view.file_of == number
        return found

    @cached_property
    def imported(self) -> Mask:
        """The rows of the files that are imported."""
        return self._files(self.view.modules.imported(self.path)) if self.path else self._nothing()

    @cached_property
    def named(self) -> Mask:
        """Rows that have a name that the file imports."""
        names = [one.name for one in self.imports.values() if one.name not in ("", "*")]
        return self._outside & self._called(names) & ~self.file

    @cached_property
    def bare(self) -> Mask:
        """What a name without a dot can mean: what the file defines or imports by name."""
        starred = [p for one in self.imports.values() if one.name == "*" for p in self._meant(one)]
        return self._outside & (self.file | self.named | self._files(starred))

    def of(self, receiver: str, made: Mapping[str, str]) -> Mask:
        """What can stand behind `receiver` and a dot; everything in sight for no receiver."""
        if not receiver:
            return self.bare
        head, _, rest = receiver.partition(".")
        if head in ("self", "cls") and not rest:
            return self._members([self.owner]) if self.owner else self._nothing()
        if head == "super()":
            return self._members(self._bases([self.owner])) if self.owner else self._nothing()
        last = receiver.rpartition(".")[2].removesuffix("()")
        owners = [made[last]] if last in made else [last] if last[:1].isupper() else []
        return self._members(owners) | self._module(receiver)

    def _module(self, receiver: str) -> Mask:
        """The rows outside of classes of the module that a dotted name means."""
        one = self.imports.get(receiver)
        dotted = None
        if one is None:
            head, _, rest = receiver.partition(".")
            one = self.imports.get(head)
            dotted = f"{one.module}.{rest}" if one is not None and not one.name and rest else None
        if one is None:
            return self._nothing()
        if dotted is not None:
            found = self.view.modules.find(dotted, self.path)
            return self._files([found]) & self._outside if found else self._nothing()
        # Of `from a import b` only a module b counts; through a package's own file, what that imports.
        paths = self._meant(one)[-1:] if one.name else self._meant(one)
        wider = {
            p
            for path in paths
            for p in (path, *self.view.modules.imported(path))
            if _is_package(path) or p == path
        }
        return self._files(wider) & self._outside

    def _meant(self, one: Import) -> list[str]:
        return self.view.modules.meant(one, self.path)

    @cached_property
    def _outside(self) -> Mask:
        """Functions and classes that stand in no class."""
        none = self.view.owner_of == 0
        code: Mask = (self.view.kinds == Kind.FUNCTION) | ((self.view.kinds == Kind.CLASS) & none)
        return code

    def _members(self, owners: Iterable[str]) -> Mask:
        """The methods of some classes and of their bases."""
        wanted = [owner for owner in owners if owner]
        numbers = self._numbers([*wanted, *self._bases(wanted)])
        found: Mask = (self.view.kinds == Kind.METHOD) & np.isin(self.view.owner_of, numbers)
        return found

    def _bases(self, owners: Iterable[str]) -> list[str]:
        """The names of all bases, as far as they are defined here."""
        names, seen, waiting = self.view.names, set(self._numbers(owners)), set(self._numbers(owners))
        pairs = self.view.bases
        found: set[int] = set()
        for _ in range(_DEEPEST):
            rows = (
                np.isin(self.view.name_of[pairs[:, 0]], list(waiting))
                if len(pairs)
                else np.zeros(0, np.bool_)
            )
            waiting = set(pairs[rows, 1].tolist()) - seen
            if not waiting:
                break
            seen |= waiting
            found |= waiting
        return [names.names[number] for number in sorted(found)]

    def _called(self, names: Iterable[str]) -> Mask:
        return np.isin(self.view.name_of, self._numbers(names))

    def _numbers(self, names: Iterable[str]) -> list[int]:
        known = self.view.names.numbers
        return [known[name] for name in names if name in known]

    def _files(self, paths: Iterable[str]) -> Mask:
        known = self.view.file_numbers
        return np.isin(self.view.file_of, [known[path] for path in paths if path in known])

    def _nothing(self) -> Mask:
        return np.zeros(len(self.view), np.bool_)


def _is_package(path: str) -> bool:
    return path.endswith("__init__.py")
