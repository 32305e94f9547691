"""Syntax errors: CPython's word on whether there is one, and exact places for all."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import example, given

from gateline.analyzers.syntax import ANALYZER, recovering_errors
from gateline.model import Document, Finding, Inspection, Source
from support.python_texts import MODULES, QUICK, TEXTS


def errors(text: str) -> tuple[Finding, ...]:
    return ANALYZER.inspect(Inspection(Source(Document("a.py", text)))).findings


def compiles(text: str) -> bool:
    """CPython's word; a byte order mark is no part of the text, as it is none of a file's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text.removeprefix("\ufeff"), "a.py", "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
    return True


@QUICK
@given(TEXTS | MODULES)
@example("\ufeffx = 1\n")
@example("\ufeff")
@example("\ufeff\ufeffx")
@example("\ufeff  x = 1\n")
@example("# \0\n")
@example("'\ud800'\n")
@example("from . import b\\\r\n")
@example("x = 1\n\x1a")
def test_there_is_an_error_exactly_where_cpython_refuses(text: str) -> None:
    found = errors(text)
    assert bool(found) is not compiles(text)
    assert len({finding.span for finding in found}) == len(found)


@QUICK
@given(MODULES)
def test_a_byte_order_mark_moves_columns_of_its_line_and_nothing_else(text: str) -> None:
    plain, marked = (
        Source(Document("a.py", f"é = (1,)\n{text}")),
        Source(Document("a.py", f"\ufeffé = (1,)\n{text}")),
    )
    assert plain.tree is not None and marked.tree is not None
    assert [name for name, _ in marked.scopes] == [name for name, _ in plain.scopes]
    assert [e.span.start.column for e in errors("\ufeffx = = 1\n")] == [5]
    assert marked.position(1, 4).column == plain.position(1, 3).column + 1


@pytest.mark.parametrize(
    ("text", "line", "column", "character"),
    [("x = '\ud800'\n", 0, 5, "U+D800"), ("# é\n# \udc80", 1, 2, "U+DC80"), ("a\0b", 0, 1, "null")],
)
def test_unreadable_characters_are_named_at_once(text: str, line: int, column: int, character: str) -> None:
    (found,) = recovering_errors("a.py", text)
    assert (found.span.start.line, found.span.start.column) == (line, column)
    assert found.span.end.column == column + 1
    assert character in found.message


@pytest.mark.parametrize("text", ["x\x01y", "0xg", "x = \x7f", "\x1b[31m"])
def test_messages_are_for_people_and_terminals(text: str) -> None:
    for found in errors(text):
        assert found.message.isprintable()
        assert "{" not in found.message


def test_a_hundred_errors_are_enough_with_fifty() -> None:
    assert len(errors("x = = 1\n" * 100)) == 50
    assert len(errors("\0\n" * 100)) == 50
