"""The rows that a resolver's answers speak of, and which callers mean something else for certain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gateline.context.resolved import Definition, Resolved, Site
from gateline.context.scope import Scope
from gateline.context.values import Chunk, Kind
from gateline.context.view import View

_PROTOCOL = "Protocol"


@dataclass(frozen=True)
class Meant:
    """What a resolver knows, in rows of the index."""

    view: View
    names: Mapping[Site, tuple[int, ...]]
    """Of the names that are known: the rows; none for what is defined outside of the workspace."""
    resolved: Resolved

    @classmethod
    def of(cls, view: View, resolved: Resolved) -> Meant:
        """The rows of what was resolved."""
        rows = {site: tuple(_rows(view, found)) for site, found in resolved.names.items()}
        return cls(view, rows, resolved)

    def settled(self, calls: Iterable[Site]) -> set[str]:
        """The names of which each of these calls is known: nothing needs to be guessed of them."""
        known: dict[str, bool] = defaultdict(lambda: True)
        for site in calls:
            known[site.name] &= site in self.names
        return {name for name, is_known in known.items() if is_known}

    def callers(self, row: int, guessed: Sequence[int]) -> list[int]:
        """The callers of a definition: the guessed ones that do not mean another, and all known ones."""
        chunk = self.view.chunk(row)
        owners = self._owners(row, chunk)
        others, known = set(), []
        for (path, first), found in self.resolved.callers.items():
            caller = self._row(path, first)
            if caller is None or caller == row:
                continue
            if any(row in _rows(self.view, [one]) for one in found):
                known.append(caller)
            elif all(self._is_other(one, chunk, owners) for one in found):
                others.add(caller)
        kept = [other for other in guessed if other not in others]
        return list(dict.fromkeys((*kept, *known)))

    def _is_other(self, one: Definition, chunk: Chunk, owners: frozenset[str]) -> bool:
        """Whether a call that means `one` cannot be one of a definition.

        What is called on a base, or on a protocol, may be.
        """
        names = one.name.split(".")
        if names[-1] != chunk.short:
            return False
        row = next(iter(_rows(self.view, [one])), None)
        if row is None:
            return True
        meant = self.view.chunk(row)
        if meant.kind != chunk.kind:
            return meant.kind <= Kind.CLASS
        owner = meant.owner.rpartition(".")[2]
        return not owner or (owner not in owners and not self._is_protocol(one.path, owner))

    def _owners(self, row: int, chunk: Chunk) -> frozenset[str]:
        """The names of the bases of a method's class: what is called on them can be the method."""
        owner = chunk.owner.rpartition(".")[2]
        if chunk.kind != Kind.METHOD or not owner:
            return frozenset()
        return frozenset(Scope(self.view, self.view.path(row)).bases([owner]))

    def _is_protocol(self, path: str, owner: str) -> bool:
        names = self.view.names
        number = names.numbers.get(_PROTOCOL, -1)
        rows = self.view.bases[self.view.bases[:, 1] == number, 0].tolist() if len(self.view.bases) else []
        return any(self.view.path(row) == path and self.view.chunk(row).short == owner for row in rows)

    def _row(self, path: str, first: int) -> int | None:
        rows = self.view.rows_of(path).tolist()
        return next((row for row in rows if self.view.lines[row, 0] == first), None)


def _rows(view: View, found: Iterable[Definition]) -> Iterator[int]:
    """The rows in which definitions stand, each once."""
    rows = (view.at(one.path, one.line) for one in found if one.path in view.files)
    yield from dict.fromkeys(row for row in rows if row is not None)
