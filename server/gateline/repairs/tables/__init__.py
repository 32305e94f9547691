"""Tables of names that other languages, other versions and distributions have for the same thing."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """The table in the file `name`.toml beside this one: part of the code, as a module would be."""
    return tomllib.loads(_text(f"{name}.toml"))


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of the file `name`.txt, split where two blanks or more are; `#` begins a comment."""
    lines = (line for line in _text(f"{name}.txt").splitlines() if line.strip() and not line.startswith("#"))
    return tuple(tuple(_GAP.split(line.strip(), maxsplit=2)) for line in lines)


_GAP = re.compile(r" {2,}")


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
