"""What code touched: files that it read, folders that it listed, modules that it looked for, programs."""

from __future__ import annotations

from typing import Any, Dict, Set

_ByModule = Dict[str, Set[str]]
"""By the real path of the module that was being imported meanwhile; "" where none was."""


class Touched:
    """Real paths and dotted names."""

    def __init__(self) -> None:
        self.read: _ByModule = {}
        self.listed: _ByModule = {}
        self.sought: _ByModule = {}
        """Modules that no folder holds."""
        self.contents: dict[str, str] = {}
        """The digests of what was in the files that were there."""
        self.programs = False
        """A program was started."""

    def files(self) -> set[str]:
        """All files that were read."""
        return set().union(*self.read.values())

    def folders(self) -> set[str]:
        """All folders that were listed."""
        return set().union(*self.listed.values())

    def add(self, other: Touched) -> None:
        """Count what is in another as touched here, too."""
        for mine, theirs in (
            (self.read, other.read),
            (self.listed, other.listed),
            (self.sought, other.sought),
        ):
            for module, names in theirs.items():
                mine.setdefault(module, set()).update(names)
        self.contents.update(other.contents)
        self.programs = self.programs or other.programs

    def told(self, relative: Any, known: Any = ()) -> dict[str, list[list[str]]]:
        """By module: files, folders and names in the words of the protocol.

        Names of `known` modules are left out: another finder than that of folders had them.
        """
        modules = {**self.read, **self.listed, **self.sought}
        return {
            relative(module) if module else "": [
                sorted(map(relative, self.read.get(module, ()))),
                sorted(map(relative, self.listed.get(module, ()))),
                sorted(name for name in self.sought.get(module, ()) if name not in known),
            ]
            for module in sorted(modules)
        }
