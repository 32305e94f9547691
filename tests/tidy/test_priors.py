"""Costs of repairs stand in one table: families, and what they stand on, name keys; each key is used."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from gateline.repairs.priors import priors

REPAIRS = Path(__file__).parents[2] / "server" / "gateline" / "repairs"
FAMILIES = REPAIRS / "families"
PRICED = [
    f for name in ("analysis", "donors", "families", "locate") for f in sorted((REPAIRS / name).rglob("*.py"))
]
SHARED = "shared"
"""The table of what is the same for all packages."""


@cache
def trees() -> dict[Path, ast.Module]:
    """The modules that have costs, parsed when the first test asks: not where tests are collected."""
    return {file: ast.parse(file.read_text(encoding="utf-8")) for file in PRICED}


def keys(node: ast.expr) -> Iterator[str]:
    """The keys that an argument of `prior` may be: a literal, or one of several by a condition."""
    if isinstance(node, ast.IfExp):
        yield from keys(node.body)
        yield from keys(node.orelse)
    else:
        assert isinstance(node, ast.Constant), "a key is a literal, so that a search finds it"
        yield node.value


def used() -> Iterator[tuple[Path, str]]:
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "prior":
                yield from ((file, key) for key in keys(node.args[0]))


def test_what_finds_repairs_states_no_number() -> None:
    numbers = [
        f"{file.relative_to(REPAIRS)}:{node.lineno}: {node.value}"
        for file, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and type(node.value) is float
    ]
    assert numbers == []


def test_each_key_is_used_and_each_used_key_is_there() -> None:
    assert {key for _, key in used()} == set(priors())


def test_a_key_belongs_to_the_package_that_uses_it() -> None:
    strays = [
        (file.name, key) for file, key in used() if key.partition(".")[0] not in {package(file), SHARED}
    ]
    assert strays == []


def package(file: Path) -> str:
    inside = file.relative_to(FAMILIES if file.is_relative_to(FAMILIES) else REPAIRS)
    return inside.parts[0]


def test_the_table_is_sorted() -> None:
    tables = tomllib.loads((REPAIRS / "priors.toml").read_text(encoding="utf-8"))
    assert list(tables) == sorted(tables)
    assert [name for name, table in tables.items() if list(table) != sorted(table)] == []
