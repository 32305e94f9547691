"""The texts of a case, with the standard library around them."""

from __future__ import annotations

from functools import cache

from gateline.repairs.texts import Texts
from gateline.services.modules import Modules

VERSION = (3, 13)
"""Of Python, whose modules are there: whoever runs a case finds the same."""


class LibraryTexts(Texts):
    """A workspace of a case."""

    def modules(self) -> tuple[str, ...]:
        """Their dotted names."""
        return _library().names

    def homes(self, name: str) -> list[str]:
        """The modules that define a name."""
        return _library().homes(name)

    def source(self, module: str) -> str | None:
        """The text of a module; None where there is none to read."""
        return _library().source(module)


@cache
def _library() -> Modules:
    return Modules((), VERSION)
