"""What the ranking knows, in natural logarithms. `python -m gateline_dev.syntax learn` writes the files."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

DEFAULT = 6.0
"""The price of a pattern that was not seen."""
FILES = {"prior": "prior.txt", "posterior": "posterior.txt"}
"""The weights of changes before they are tried, and of what they leave behind."""


@cache
def weights(name: str) -> dict[str, float]:
    """The weights in the file of that name beside this one: part of the code, as a module would be."""
    return read(files(__package__).joinpath(FILES[name]).read_text(encoding="utf-8"))


def read(text: str) -> dict[str, float]:
    """Entries `name:weight` stand two blanks apart; `@m colon` is what the names after it begin with."""
    found, section = {}, ""
    for row in text.replace("\n", "  ").split("  "):
        if row.startswith("@"):
            section = row[1:]
        elif row:
            name, _, value = row.rpartition(":")
            found[f"{section} {name}".lstrip()] = float(value)
    return found
