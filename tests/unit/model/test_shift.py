"""Findings move along with edits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gate_inputs import finding
from hypothesis import given
from hypothesis import strategies as st

from gateline.model import Document, Finding, Position, Span
from gateline.model.shift import shift
from support.python_texts import QUICK

LINE = "f(abc, defg)"


def at(span: Span) -> Finding:
    return replace(finding(), span=span)


def moved(span: Span, edited: Span | None, text: str) -> Span | None:
    found = shift([at(span)], [(edited, text)])
    return found[0].span if found else None


@pytest.mark.parametrize(
    ("edited", "text", "expected"),
    [
        (Span.of(0, 0, 0, 0), "x = ", Span.of(1, 7, 1, 11)),
        (Span.of(1, 0, 1, 0), "x = ", Span.of(1, 11, 1, 15)),
        (Span.of(1, 2, 1, 5), "", Span.of(1, 4, 1, 8)),
        (Span.of(0, 0, 0, 0), "a\nb\n", Span.of(3, 7, 3, 11)),
        (Span.of(0, 0, 0, 0), "a\r\nb\r", Span.of(3, 7, 3, 11)),
        (Span.of(0, 3, 1, 0), "", Span.of(0, 10, 0, 14)),
        (Span.of(1, 2, 1, 2), "\n  ", Span.of(2, 7, 2, 11)),
        (Span.of(1, 11, 1, 12), "", Span.of(1, 7, 1, 11)),
        (Span.of(2, 0, 3, 0), "", Span.of(1, 7, 1, 11)),
        (Span.of(1, 8, 1, 9), "xyz", Span.of(1, 7, 1, 13)),
        (Span.of(1, 7, 1, 11), "x", None),
        (Span.of(0, 0, 9, 0), "", None),
        (None, "anything", Span.of(1, 7, 1, 11)),
    ],
    ids=str,
)
def test_where_a_finding_is_after_an_edit(edited: Span | None, text: str, expected: Span | None) -> None:
    assert moved(Span.of(1, 7, 1, 11), edited, text) == expected


@pytest.mark.parametrize("text", ["x", "\n", "x\ny"])
def test_typing_at_the_start_of_a_finding_moves_it(text: str) -> None:
    assert moved(Span.of(1, 2, 1, 5), Span.of(1, 2, 1, 2), text) != Span.of(1, 2, 1, 5)


CHARACTERS = st.text(st.sampled_from("ab\n😀"), max_size=12)
INSERTED = st.lists(st.sampled_from(["a", "😀", "\n", "\r\n"]), max_size=6).map("".join)


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, Span, Span, str]:
    """A text, a marked word in it, an edit that does not touch the word, and what is put in."""
    before, after = draw(CHARACTERS), draw(CHARACTERS)
    text = f"{before} word {after}"
    starts = [i for i in range(len(text) + 1) if i <= len(before) or i >= len(before) + 6]
    start = draw(st.sampled_from(starts))
    end = draw(
        st.sampled_from([i for i in starts if i >= start and (i <= len(before)) == (start <= len(before))])
    )
    word = Span(_place(text, len(before) + 1), _place(text, len(before) + 5))
    return text, word, Span(_place(text, start), _place(text, end)), draw(INSERTED)


def _place(text: str, offset: int) -> Position:
    lines = Document("a.py", text[:offset]).lines
    if not lines or lines[-1].endswith("\n"):
        return Position(len(lines), 0)
    return Position(len(lines) - 1, len(lines[-1]))


def _marked(text: str, span: Span) -> str:
    document = Document("a.py", text)
    return document.lines[span.start.line][span.start.column : span.end.column]


@QUICK
@given(edits())
def test_a_word_is_followed_through_edits_elsewhere(given_: tuple[str, Span, Span, str]) -> None:
    text, word, edited, new = given_
    after = Document("a.py", text).apply(edited, new, None)
    found = moved(word, edited, new)
    assert found is not None
    assert _marked(after.text, found) == "word"
