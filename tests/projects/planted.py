"""Changes of one kind each, and the findings that they are to make."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from gateline_dev.bench.probes import Site, sites

Place = tuple[int, str]
"""A line from 1, and a code."""


@dataclass(frozen=True)
class Planted:
    """A text with a change in it, and what is new there."""

    text: str
    found: tuple[Place, ...]


Plant = Callable[[str], Planted]
"""Makes a change in the text of a file."""


def inside(line: str, *codes: str, offset: int = 0) -> Plant:
    """Put lines into a short function; the codes are those of one of them."""

    def plant(text: str) -> Planted:
        site, _ = short_function(text)
        return Planted(put(text, site, line), tuple((site.line + 1 + offset, code) for code in codes))

    return plant


def after(addition: str, *codes: str) -> Plant:
    """Put text after the end; the codes are those of its first line."""

    def plant(text: str) -> Planted:
        line = text.count("\n") + 3
        return Planted(f"{text}\n\n{addition}", tuple((line, code) for code in codes))

    return plant


def complicated(text: str) -> Planted:
    """Give a function many paths; it is told where the function begins."""
    site, line = short_function(text)
    return Planted(put(text, site, _PATHS), ((line, "GTL401"),))


def short_function(text: str) -> tuple[Site, int]:
    """A place in the shortest function that has one, and the line of its `def`."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    around = {
        site: min(
            f.end_lineno - f.lineno for f in functions if f.lineno <= site.line + 1 <= (f.end_lineno or 0)
        )
        for site in sites(text)
    }
    site = min(around, key=lambda site: (around[site], site))
    return site, max(f.lineno for f in functions if f.lineno <= site.line + 1 <= (f.end_lineno or 0))


def put(text: str, site: Site, lines: str) -> str:
    """The text with lines at a place."""
    every = text.split("\n")
    added = [f"{site.indent}{line}" for line in lines.rstrip("\n").split("\n")]
    return "\n".join([*every[: site.line], *added, *every[site.line :]])


_PATHS = """\
for n in range(4):
    if n and n < 3 or n > 7:
        print([m for m in range(n) if m])
    elif n == 2:
        while n:
            n -= 1
    else:
        try:
            print(n)
        except ValueError:
            print({m for m in "ab" if m > "a"})
    print("x" if n else "y")
"""
# In two parts, so that nobody who searches this repository for secrets is alarmed.
_SECRET = "AKIA" + "Q3EGVL7ZTPW2XMNR"
SHARED = '''\
def _planted_places(rows: list[tuple[str, int]]) -> list[str]:
    """The places of all rows, largest first."""
    found = []
    for name, size in sorted(rows, reverse=True):
        if size > 3 and name not in found:
            found.append(f"{name}: {size * 2}")
        elif not name:
            found.append("nowhere")
    return found[:10] or ["none"]
'''
"""Stands in the base already."""

PLANTS: Mapping[str, Plant] = MappingProxyType(
    {
        "a type error": inside('planted: int = "one"', "GTL110"),
        "a syntax error": inside("planted = 1 +", "GTL101"),
        "a secret": after(f'_KEY = "{_SECRET}"\n', "GTL310"),
        "insecure code": inside(
            "import subprocess\nsubprocess.call(__name__, shell=True)", "GTL301", offset=1
        ),
        "a complex function": complicated,
        "a copy": after(SHARED, "GTL410"),
        "no docstring": after("def planted_name() -> int:\n    return 1\n", "GTL501"),
        "an unused suppression": inside(
            "planted = 1  # gateline: ignore[GTL301] planted", "GTL621", "GTL902"
        ),
        "a suppression without a reason": inside(
            'planted: int = "one"  # gateline: ignore[GTL110]', "GTL110", "GTL621", "GTL901"
        ),
    }
)
