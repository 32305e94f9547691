"""From texts to chunks: what is found, where it ends, and that broken texts lose nothing else."""

from __future__ import annotations

import ast
import json
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.context.chunking.cutting import cut
from gateline.context.values import Chunk, Kind
from gateline.model import Document

SHELF = '''"""Shelves."""

import os
from typing import Any as Anything

LIMIT = 3


@register(
    "shelf",
)
class Shelf(Base[int], metaclass=Meta):
    """A shelf."""

    size = LIMIT

    def put(self, thing, text="""
def hidden():
"""):
        """Store a thing."""
        def inner():
            pass
        return self.find(thing)

    class Board:
        async def bend(self): ...


def last(
    value,
) -> int:
    return """
not the end
"""


if __name__ == "__main__":
    last(1)
'''


def chunks(path: str, text: str) -> dict[str, Chunk]:
    return {chunk.name: chunk for chunk in cut(Document(path, text)).chunks}


class TestPython:
    def test_every_definition_outside_of_functions_is_one(self) -> None:
        found = cut(Document("shelf.py", SHELF)).chunks
        assert [(c.kind.label, c.name, c.first, c.last) for c in found] == [
            ("module", "shelf", 0, 5),
            ("class", "Shelf", 8, 25),
            ("method", "Shelf.put", 16, 22),
            ("class", "Shelf.Board", 24, 25),
            ("method", "Shelf.Board.bend", 25, 25),
            ("function", "last", 28, 33),
        ]

    def test_a_function_has_its_docstring_apart_and_its_calls(self) -> None:
        put = chunks("shelf.py", SHELF)["Shelf.put"]
        assert put.docstring == "Store a thing."
        assert "Store" not in put.body and "self.find" in put.body
        assert "find" in put.calls

    def test_a_class_holds_no_bodies_and_knows_its_bases(self) -> None:
        shelf = chunks("shelf.py", SHELF)["Shelf"]
        assert shelf.bases == ("Base",)
        assert "size = LIMIT" in shelf.body and "def put(" in shelf.body and "self.find" not in shelf.body

    def test_the_head_of_a_module_holds_what_is_outside(self) -> None:
        module = chunks("shop/shelf.py", SHELF)["shop.shelf"]
        assert module.docstring == "Shelves."
        assert "LIMIT = 3" in module.body and "__main__" in module.body and "class" not in module.body

    def test_imports_are_known_by_the_names_they_get(self) -> None:
        found = cut(Document("shelf.py", SHELF)).imports
        assert [(i.module, i.name, i.alias) for i in found] == [
            ("os", "", "os"),
            ("typing", "Any", "Anything"),
        ]

    @pytest.mark.parametrize(
        "broken",
        [
            "def half(:\n",
            'def half():\n    """never closed\n',
            "class Half(\n",
            "x = (\n",
            "def\n",
        ],
    )
    def test_what_does_not_parse_costs_only_itself(self, broken: str) -> None:
        text = f"def before():\n    return 1\n\n\n{broken}\n\ndef after(a):\n    return before()\n"
        found = chunks("a.py", text)
        assert found["before"].last == 1
        assert found["after"].calls == ("before",)

    @settings(deadline=None)
    @given(st.text(max_size=200) | st.text(alphabet="def clas():\n\t '\"#@\\x[]", max_size=200))
    def test_any_text_is_cut_within_its_lines(self, text: str) -> None:
        for path in ("a.py", "a.md", "a.toml", "a.yaml"):
            for chunk in cut(Document(path, text)).chunks:
                assert 0 <= chunk.first <= chunk.last <= text.count("\n") + text.count("\r")

    @pytest.mark.parametrize("package", ["asyncio", "json", "email", "unittest", "importlib"])
    def test_patterns_find_what_the_parser_finds(self, package: str) -> None:
        for file in sorted((Path(sysconfig.get_path("stdlib")) / package).glob("*.py")):
            text = file.read_text(encoding="utf-8").replace("\f", " ")
            code = (c for c in cut(Document(file.name, text)).chunks if c.kind <= Kind.CLASS)
            assert {(c.name, c.first, c.last, bool(c.docstring)) for c in code} == set(parsed(text)), file


def parsed(text: str) -> Iterator[tuple[str, int, int, bool]]:
    waiting: list[tuple[ast.AST, str]] = [(ast.parse(text), "")]
    while waiting:
        node, prefix = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)]) - 1
                last = (child.end_lineno or 0) - 1
                yield prefix + child.name, first, last, bool((ast.get_docstring(child) or "").strip())
                if isinstance(child, ast.ClassDef):
                    waiting.append((child, f"{prefix}{child.name}."))
            elif not isinstance(child, ast.expr):
                waiting.append((child, prefix))


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.md", "# One\ntext\n\n## Two ##\nmore\n", [("One", 0, 1), ("Two", 3, 4)]),
        ("a.md", "before\n\nTitle\n=====\n\ntext\n", [("a.md", 0, 0), ("Title", 2, 5)]),
        ("a.md", "# One\n```\n# no heading\n```\n", [("One", 0, 3)]),
        ("a.md", "a paragraph\nof two\n---\n", [("a.md", 0, 2)]),
        (
            "p.toml",
            'name = "x"\n[tool.ruff]\nline = 1\n[[a]]\n',
            [("p.toml", 0, 0), ("tool.ruff", 1, 2), ("a", 3, 3)],
        ),
        ("s.cfg", "[one]\na = b\n\n[two]\nc = d\n", [("one", 0, 1), ("two", 3, 4)]),
        ("c.yml", "on: push\njobs:\n  build:\n    x: 1\n", [("on", 0, 0), ("jobs", 1, 3)]),
        ("empty.md", "\n\n", []),
    ],
)
def test_sections_and_tables(path: str, text: str, expected: list[tuple[str, int, int]]) -> None:
    assert [(c.name, c.first, c.last) for c in cut(Document(path, text)).chunks] == expected


def test_line_ends_do_not_matter() -> None:
    unix = cut(Document("a.py", SHELF)).chunks
    for end in ("\r\n", "\r"):
        other = cut(Document("a.py", SHELF.replace("\n", end))).chunks
        assert json.dumps([(c.name, c.first, c.last) for c in other]) == json.dumps(
            [(c.name, c.first, c.last) for c in unix]
        )


def test_an_unfinished_head_is_kept_as_far_as_it_reaches() -> None:
    text = "class A:\n    def save(self,\nx = (1)):\n    y = 2\n"
    save = cut(Document("a.py", text)).chunks[-1]
    assert (save.name, save.body) == ("A.save", "    def save(self,\nx = (1)):")
