"""What is typed where, and which diagnostic answers it: only the right one on the right line does."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gateline_dev.bench.editor import Json

Predicate = Callable[[Sequence[Json]], bool]

# In the words of CPython, mypy, pyright, pyrefly, ty, ruff and gateline.
SYNTAX = re.compile(r"(?i)syntax|expected|parse error|GTL101")
TYPE = re.compile(r"(?i)incompatible types?|not assignable")
_BESIDE = re.compile(r"(?i)unused|never used|not accessed|undefined|not defined|GTL900")
"""True of the probe's name or of the whole change, but no answer to what was asked."""

ERROR, WARNING = 1, 2
_KEYS = 50

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Probe:
    """A line with one error, and what must be said of it."""

    kind: str
    line: str
    typed: str
    """The same kind of error as `_KEYS` keys, of which only the last makes it."""
    answer: re.Pattern[str]


SYNTAX_PROBE = Probe("syntax", "x_probe = 1 +", "x_probe_".ljust(_KEYS - 2, "a") + "(=", SYNTAX)
TYPE_PROBE = Probe("type", 'x_probe: int = "s"', "x_probe: int = ".ljust(_KEYS - 1, "1") + "j", TYPE)
PROBES = (SYNTAX_PROBE, TYPE_PROBE)


def shows(kind: re.Pattern[str], line: int) -> Predicate:
    """Whether an error or a warning of that kind starts on that line."""

    def found(diagnostics: Sequence[Json]) -> bool:
        return any(_answers(item, kind, line) for item in diagnostics)

    return found


def lacks(kind: re.Pattern[str], line: int) -> Predicate:
    """Whether there is none."""
    found = shows(kind, line)
    return lambda diagnostics: not found(diagnostics)


def anything(_: Sequence[Json]) -> bool:
    """Whatever came: for a server that analyses nothing."""
    return True


def _answers(item: Json, kind: re.Pattern[str], line: int) -> bool:
    text = f"{item.get('code', '')} {item['message']}"
    return (
        item["range"]["start"]["line"] == line
        and item.get("severity", ERROR) <= WARNING
        and bool(kind.search(text))
        and not _BESIDE.search(text)
    )


@dataclass(frozen=True, order=True)
class Site:
    """Before a statement of a function's body: its line from 0, and its indentation."""

    line: int
    indent: str


def sites(text: str) -> list[Site]:
    """One place in each function that has one, in the order of the file."""
    lines = text.split("\n")
    found = (_middle(list(_places(node, lines))) for node in ast.walk(ast.parse(text)) if _is_function(node))
    return sorted(site for site in found if site is not None)


def spread(items: Sequence[Site], count: int) -> list[Site]:
    """`count` of them, evenly over the whole; all of them when there are fewer."""
    if count >= len(items):
        return list(items)
    return [items[position * len(items) // count] for position in range(count)]


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, Function)


def _middle(places: list[Site]) -> Site | None:
    return places[len(places) // 2] if places else None


def _places(node: ast.AST, lines: list[str]) -> Iterator[Site]:
    assert isinstance(node, Function)
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    for statement in body:
        if _starts_its_line(statement, lines):
            yield Site(statement.lineno - 1, lines[statement.lineno - 1][: statement.col_offset])
        if isinstance(statement, ast.Return | ast.Raise):
            return  # What follows is unreachable, and a checker may skip it.


def _starts_its_line(statement: ast.stmt, lines: list[str]) -> bool:
    number = statement.lineno - 1
    # The line of a decorated definition is that of `def`: a line put there would part the two.
    decorated = bool(getattr(statement, "decorator_list", ()))
    alone = not lines[number].encode()[: statement.col_offset].strip()
    continued = number > 0 and lines[number - 1].rstrip().endswith("\\")
    return alone and not decorated and not continued
