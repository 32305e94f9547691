"""Which rows a name in a file can mean, as far as the text of the file says it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gateline.context.arrays import Mask, Scores
from gateline.context.handing import handed_on
from gateline.context.values import Import, Kind
from gateline.context.view import View

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
    row: int = -1
    """The row around the place; -1 for none."""

    @cached_property
    def imports(self) -> Mapping[str, Import]:
        """The imports of the file by the names that they have there."""
        file = self.view.files.get(self.path)
        return {one.alias: one for one in file.imports} if file else {}

    @cached_property
    def file(self) -> Mask:
        """The rows of the file itself."""
        found = self._nothing()
        first, end = self.view.bounds(self.path)
        found[first:end] = True
        return found

    @cached_property
    def imported(self) -> Mask:
        """The rows of the files that are imported."""
        return self._files(self.view.modules.imported(self.path)) if self.path else self._nothing()

    @cached_property
    def named(self) -> Mask:
        """Rows that have a name that the file imports."""
        names = [one.name for one in self.imports.values() if one.name not in ("", "*")]
        return self.view.outside & self._called(names) & ~self.file

    @cached_property
    def bare(self) -> Mask:
        """What a name without a dot can mean: what the file defines or imports by name."""
        starred = [p for one in self.imports.values() if one.name == "*" for p in self._meant(one)]
        return self.view.outside & (self.file | self.named | self._files(starred))

    @cached_property
    def own(self) -> Mask:
        """The methods of the class around the place and of its bases."""
        return self._members([self.owner]) if self.owner else self._nothing()

    @cached_property
    def modules(self) -> Mask:
        """What stands in the modules that the file imports as such."""
        paths = {path for alias in self.imports for path in self._module_files(alias)}
        return self._files(paths) & self.view.outside

    @cached_property
    def called_nearby(self) -> Scores:
        """How often the rest of the file calls something of each row's name, as a logarithm."""
        pairs = self.view.calls
        # Rows come in order, and those of a file together.
        first, end = np.searchsorted(pairs[:, 0], self.view.bounds(self.path))
        rows, names = pairs[first:end].T
        counts = np.bincount(names[rows != self.row], minlength=len(self.view.names.names))
        found: Scores = np.log1p(counts)[self.view.name_of].astype(np.float32)
        return found

    def meant_by(self, name: str) -> str:
        """The name under which something is defined that is called `name` here."""
        one = self.imports.get(name)
        return one.name if one is not None and one.name not in ("", "*") else name

    def of(self, receiver: str, made: Mapping[str, str]) -> Mask:
        """What can stand behind `receiver` and a dot; everything in sight for no receiver."""
        if not receiver:
            return self.bare
        head, _, rest = receiver.partition(".")
        if head in ("self", "cls") and not rest:
            return self.own
        if head == "super()":
            return self._members(self.bases([self.owner])) if self.owner else self._nothing()
        last = receiver.rpartition(".")[2].removesuffix("()")
        owners = [made[last]] if last in made else [last] if last[:1].isupper() else []
        return self._members(map(self.meant_by, owners)) | self._module(receiver)

    def handed_on(self, receiver: str, name: str) -> Iterator[tuple[int, Mask]]:
        """What a name means that modules hand on: the number that it has elsewhere, and the rows there."""
        one = self.imports.get(name)
        if receiver:
            start = self._module_files(receiver)
        else:
            module = self.view.modules.find(one.module, self.path) if one is not None and one.name else None
            start, name = {module} if module else set(), one.name if one is not None else name
        places = handed_on(name, start, self.view.modules)
        for other in sorted({other for other, _ in places} & self.view.names.numbers.keys()):
            paths = [path for known, path in places if known == other]
            yield self.view.names.numbers[other], self._files(paths) & self.view.outside

    def of_made(self, made: Mapping[str, str]) -> Mask:
        """The methods of the classes from which variables were made."""
        return self._members(self.meant_by(name) for name in made.values())

    def _module(self, receiver: str) -> Mask:
        """The rows outside of classes of the module that a dotted name means."""
        return self._files(self._module_files(receiver)) & self.view.outside

    def _module_files(self, receiver: str) -> set[str]:
        """The file that a dotted name means; of a package, also what its own file imports."""
        one = self.imports.get(receiver)
        if one is not None:
            # Of `from a import b` only a module b counts.
            meant = [self.view.modules.submodule(one, self.path)] if one.name else self._meant(one)
        else:
            head, _, rest = receiver.partition(".")
            above = self.imports.get(head)
            whole = f"{above.module}.{rest}" if above is not None and not above.name and rest else ""
            meant = [self.view.modules.find(whole, self.path)] if whole else []
        found = {path for path in meant if path}
        return found | {p for path in found if _is_package(path) for p in self.view.modules.imported(path)}

    def _meant(self, one: Import) -> list[str]:
        return self.view.modules.meant(one, self.path)

    def _members(self, owners: Iterable[str]) -> Mask:
        """The methods of some classes and of their bases."""
        wanted = [owner for owner in owners if owner]
        flags = self._flags([*wanted, *self.bases(wanted)])
        found: Mask = (self.view.kinds == Kind.METHOD) & flags[self.view.owner_of]
        return found

    def bases(self, owners: Iterable[str]) -> list[str]:
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
        found: Mask = self._flags(names)[self.view.name_of]
        return found

    def _flags(self, names: Iterable[str]) -> Mask:
        """Which names are among these."""
        flags = np.zeros(len(self.view.names.names), np.bool_)
        flags[self._numbers(names)] = True
        return flags

    def _numbers(self, names: Iterable[str]) -> list[int]:
        known = self.view.names.numbers
        return [known[name] for name in names if name in known]

    def _files(self, paths: Iterable[str]) -> Mask:
        known = self.view.file_numbers
        flags = np.zeros(len(self.view.row_files), np.bool_)
        flags[[known[path] for path in paths if path in known]] = True
        found: Mask = flags[self.view.file_of]
        return found

    def _nothing(self) -> Mask:
        return np.zeros(len(self.view), np.bool_)


def _is_package(path: str) -> bool:
    return path.endswith("__init__.py")
