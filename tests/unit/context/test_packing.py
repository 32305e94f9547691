"""Passages into a budget."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.context.packing import packed, tokens_in
from gateline.context.values import Kind, Passage
from gateline.model import Span


def passage(name: str, text: str, first: int = 0, last: int = 9, path: str = "a.py") -> Passage:
    span = Span.of(first, 0, last, 0)
    return Passage(path, Kind.FUNCTION, name, span, text, 1.0, ("why",), f"hash of {text}", tokens_in(text))


LINES = "one line of code\n" * 60


def test_the_best_come_first_and_the_rest_is_counted() -> None:
    given_ = [passage(str(n), f"{n}{LINES}", n * 10, n * 10 + 9) for n in range(5)]
    answer = packed(given_, 400, ("lexical",))
    assert [p.name for p in answer.passages] == ["0", "1"]
    assert answer.left_out == 3
    assert answer.passages[0].shortened


def test_what_lies_in_a_better_passage_is_left_out() -> None:
    outer, inner, other = passage("A", "x", 0, 20), passage("A.f", "y", 5, 9), passage("B", "z", 5, 9, "b.py")
    assert [p.name for p in packed([outer, inner, other], 1000, ()).passages] == ["A", "B"]


def test_the_same_text_is_not_told_twice() -> None:
    assert len(packed([passage("A", "x"), passage("B", "x", path="b.py")], 1000, ()).passages) == 1


@settings(deadline=None)
@given(st.lists(st.text(min_size=1, max_size=4000), max_size=12), st.integers(50, 3000))
def test_the_budget_holds(texts: list[str], budget: int) -> None:
    given_ = [passage(str(n), text, n * 10, n * 10 + 9) for n, text in enumerate(texts)]
    answer = packed(given_, budget, ())
    assert sum(tokens_in(p.text) for p in answer.passages) <= budget
    assert answer.tokens == sum(p.tokens for p in answer.passages)
