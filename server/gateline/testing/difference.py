"""What separates two contents of a file, as far as running them goes.

The body of a function matters to whoever calls it, and so does what callers use of its head; everything else
runs when the file is imported, and matters to all that import it. Comments and layout matter to nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateline.testing.parsed import Parsed, pairs, parsed


@dataclass(frozen=True, slots=True)
class Body:
    """A function whose body, or what callers use of its head, is another one now."""

    name: str
    """Qualified, as in `Cart.total`."""
    lines: int
    """The lines of the old body, as bits."""
    is_head: bool = False
    """Whether the body itself is the same."""


@dataclass(frozen=True, slots=True)
class Difference:
    """From an old content to a new one."""

    at_import: bool = False
    """Importing the file does something else."""
    bodies: tuple[Body, ...] = ()
    kept: Mapping[int, int] = field(default_factory=dict)
    """Where old lines of unchanged code stand now, both zero-based."""
    added: tuple[str, ...] = ()
    """Functions that are new, by their qualified names."""

    @property
    def changed(self) -> int:
        """The old lines of all changed bodies, as bits."""
        found = 0
        for body in self.bodies:
            found |= 0 if body.is_head else body.lines
        return found


EVERYTHING = Difference(at_import=True)
"""Of contents of which one is not known, or does not parse: nothing is kept."""


def difference(old: str, new: str) -> Difference:
    """What changed from one text to the other."""
    before, after = parsed(old), parsed(new)
    if before is None or after is None:
        return EVERYTHING
    bodies, kept = [], _lines_of_import(before, after)
    at_import = kept is None
    kept = kept or {}
    for name, function in before.functions.items():
        newer = after.functions.get(name)
        moved = function.moved(newer)
        is_same_head = newer is not None and function.head == newer.head
        if moved is None or not is_same_head:
            bodies.append(Body(name[0], function.bits, is_head=moved is not None))
        if newer is not None and is_same_head:
            kept |= dict(zip(function.docstring, newer.docstring, strict=True))
        kept |= moved or {}
    added = tuple(name for name, _ in after.functions.keys() - before.functions.keys())
    return Difference(at_import, tuple(bodies), kept, added)


def called(text: str, lines: int) -> frozenset[str]:
    """Functions of a text whose bodies hold some of these lines (as bits); none if it does not parse."""
    found = parsed(text)
    functions = found.functions if found is not None else {}
    return frozenset(name for (name, _), part in functions.items() if part.bits & lines)


def _lines_of_import(before: Parsed, after: Parsed) -> dict[int, int] | None:
    """Where the lines stand that run at import; None when importing does something else.

    A new function whose name meant nothing changes nothing.
    """
    for statements in (after.statements, after.imports(before)):
        if [one.dump for one in before.statements] == [one.dump for one in statements]:
            old = [line for one in before.statements for line in one.places]
            return pairs(old, [line for one in statements for line in one.places])
    return None
