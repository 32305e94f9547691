"""The index of clones: what it is after any edits, and what it finds."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.analyzers.duplication import ANALYZER, CloneIndex, inspect_clones
from gateline.model import Document, Inspection, Source
from support.python_texts import QUICK, TEXTS

PATHS = st.sampled_from(["a.py", "b.py", "c.py"])
LINES = st.sampled_from([f"{name} = f({name}, {n})" for n, name in enumerate("abcde")])
BLOCKS = st.lists(LINES, max_size=14).map("\n".join)
EDITS = st.lists(st.tuples(PATHS, st.none() | BLOCKS | TEXTS), max_size=12)
BLOCK = "".join(f"total_{n} = price(item_{n}, {n}) + tax(item_{n})\n" for n in range(8))


@pytest.mark.parametrize("size", [10, 40])
@QUICK
@given(edits=EDITS)
def test_after_any_edits_it_is_as_if_made_anew(size: int, edits: list[tuple[str, str | None]]) -> None:
    edited, fresh = CloneIndex(size), CloneIndex(size)
    for path, text in edits:
        edited.update(path, text)
    for path, text in sorted(dict(edits).items()):
        fresh.update(path, text)
    for path in ("a.py", "b.py", "c.py"):
        assert edited.clones(path) == fresh.clones(path)


@QUICK
@given(BLOCKS, BLOCKS)
def test_a_clone_is_found_from_both_sides(one: str, other: str) -> None:
    index = CloneIndex(10)
    index.update("a.py", f"{one}\n{BLOCK}")
    index.update("b.py", f"{other}\n{BLOCK}")
    assert "b.py" in {c.other for c in index.clones("a.py")}
    assert "a.py" in {c.other for c in index.clones("b.py")}


@QUICK
@given(BLOCKS)
def test_clones_are_within_their_texts(text: str) -> None:
    index = CloneIndex(10)
    index.update("a.py", text)
    lines = text.count("\n") + 1
    for clone in index.clones("a.py"):
        assert 0 <= clone.start <= clone.end < lines
        assert 0 <= clone.other_start <= clone.other_end < lines


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_whatever_ends_them(end: str) -> None:
    index = CloneIndex()
    index.update("a.py", "import os\n\n".replace("\n", end) + BLOCK.replace("\n", end))
    index.update("b.py", BLOCK)
    (clone,) = index.clones("a.py")
    assert (clone.start, clone.end) == (clone.other_start + 2, clone.other_end + 2)
    assert (clone.other_start, clone.other_end) == (0, 6)


def test_a_line_that_repeats_within_itself_is_no_clone() -> None:
    index = CloneIndex()
    index.update("a.py", "x = [" + "1, " * 500 + "]\n")
    assert index.clones("a.py") == ()


def test_what_stands_everywhere_is_no_clone() -> None:
    index = CloneIndex()
    for n in range(60):
        index.update(f"{n}.py", BLOCK)
    assert index.clones("0.py") == ()


def test_the_length_of_a_clone_is_an_option() -> None:
    text = "def f(a):\n    b = a + 1\n    c = b ** a\n    return [a, b, c]\n" * 2
    source = Source(Document("a.py", text))
    found = {n: ANALYZER.inspect(Inspection(source, None, {"min_tokens": n})).findings for n in (10, 60)}
    assert found[10] and not found[60]


def test_only_clones_that_are_changed_to_a_third_are_told() -> None:
    index = CloneIndex()
    source = Source(Document("a.py", f"{BLOCK}\nx = 1\n"))
    index.update("a.py", source.text)
    index.update("b.py", BLOCK)
    assert inspect_clones(index, source, frozenset({9})).findings == ()
    assert inspect_clones(index, source, frozenset({2, 9})).findings == ()
    (found,) = inspect_clones(index, source, frozenset({2, 3, 4, 9})).findings
    assert (found.span.start.line, found.span.end.line) == (2, 4)


def test_a_text_of_one_pattern_takes_no_square_of_time() -> None:
    index = CloneIndex()
    start = time.process_time()
    index.update("a.py", "x = x.a\n" * 20_000)
    index.clones("a.py")
    # About half a second; looking through all equal places for each took minutes.
    assert time.process_time() - start < 5
