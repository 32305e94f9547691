"""What is derived from a text: scopes, comments, places."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.model import Document, Position, Source, Span
from support.python_texts import MODULES, QUICK


def source(text: str) -> Source:
    return Source(Document("a.py", text))


def test_scopes_have_qualified_names_in_order() -> None:
    text = "class A:\n  def f(self):\n    def g(): pass\n  class B: pass\nif x:\n  async def h(): pass\n"
    assert [name for name, _ in source(text).scopes] == ["A", "A.f", "A.f.g", "A.B", "h"]
    assert source("def f(:").scopes == ()


@pytest.mark.parametrize(
    ("line", "symbol"),
    [(0, "A"), (1, "A"), (2, "A.f"), (3, "A.f"), (4, "A.f.g"), (5, "A.f"), (6, ""), (9, "")],
)
def test_the_innermost_symbol_is_found_decorators_included(line: int, symbol: str) -> None:
    text = "@d\nclass A:\n    @d\n    def f(self):\n        def g(): pass\n        return g\nx = 1\n"
    assert source(text).symbol_at(line) == symbol


@QUICK
@given(MODULES)
def test_scopes_are_all_functions_and_classes(text: str) -> None:
    made = source(text)
    assert made.tree is not None
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    expected = [node for node in ast.walk(made.tree) if isinstance(node, kinds)]
    assert [id(node) for _, node in made.scopes] == [
        id(node) for node in sorted(expected, key=lambda n: (n.lineno, n.col_offset))
    ]
    for name, node in made.scopes:
        span = made.name_span(node)
        assert made.line(span.start.line)[span.start.column : span.end.column] == name.rpartition(".")[2]


@pytest.mark.parametrize(
    ("text", "column", "width"),
    [
        ("def d(): pass", 4, 1),
        ("async  def\tdef_(): pass", 11, 4),
        ("class c: pass", 6, 1),
        ("x = 1; y = 'é'\nclass é(d): pass", 6, 1),
        ("def \\\n  f(): pass", 0, 5),
    ],
)
def test_where_a_name_stands(text: str, column: int, width: int) -> None:
    made = source(text)
    ((_, node),) = made.scopes
    span = made.name_span(node)
    assert (span.start.column, span.end.column) == (column, column + width)


@QUICK
@given(st.text(st.sampled_from("ab é😀𝒳"), max_size=10), st.data())
def test_the_compilers_columns_are_bytes_and_ours_characters(line: str, data: st.DataObject) -> None:
    column = data.draw(st.integers(0, len(line)))
    assert source(f"{line}\n").position(1, len(line[:column].encode())) == Position(0, column)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_comments_are_found_on_their_lines(end: str) -> None:
    text = end.join(["x = '# no'  # one", "", "'''", "# no", "'''  # two", "# three"])
    found = [(c.text, c.span) for c in source(text).comments]
    assert found == [
        ("# one", Span.of(0, 12, 0, 17)),
        ("# two", Span.of(4, 5, 4, 10)),
        ("# three", Span.of(5, 0, 5, 7)),
    ]


@pytest.mark.parametrize(
    ("text", "start", "end"), [("  x = 1  ", 2, 7), ("", 0, 0), ("   ", 3, 3), ("x", 0, 1), ("\té ", 1, 2)]
)
def test_the_visible_part_of_a_line(text: str, start: int, end: int) -> None:
    assert Span.of_line(3, text) == Span.of(3, start, 3, end)


@QUICK
@given(MODULES)
def test_the_lines_of_a_scope_have_its_tree(text: str) -> None:
    made = source(text)
    for _, node in made.scopes:
        lines = made.scope_text(node)
        inside = lines[:1].isspace()
        again = ast.parse(f"if True:\n{lines}" if inside else lines).body[0]
        assert ast.dump(again.body[0] if isinstance(again, ast.If) else again) == ast.dump(node)


def test_the_lines_of_a_scope_begin_with_its_decorators() -> None:
    made = source("x = 1\n@d\ndef f():\n    return 1\ny = 2\n")
    assert [made.scope_text(node) for _, node in made.scopes] == ["@d\ndef f():\n    return 1\n"]
