"""Which edits stay inside one function."""

from __future__ import annotations

from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.model.document import split_lines
from gateline.services.types.resident.bodies import Edit, Lines, body_edited, snippet, stays_inside

TEXT = """\
    import json


    class Cart:
        def __init__(self) -> None:
            self.items: list[int] = []
            total = 0
            self.total = total

        @property
        def size(
            self,
        ) -> int:
            # How many.
            return len(self.items)

        def each(self) -> None:
            yield 1

        def both(self) -> None:
            def inner() -> None:
                yield 2
            yield 3


    def add(cart: Cart) -> None:
        cart.items = []

        import json
    """
METHOD, PROPERTY, GENERATOR, OUTER, FUNCTION = (
    Lines(5, 6, 8),
    Lines(10, 15, 15),
    Lines(17, 18, 18),
    Lines(20, 21, 23),
    Lines(26, 27, 29),
)
EDITS = [
    ("another statement", METHOD, "total = 0", "total = 1", True),
    ("a line more", METHOD, "total = 0\n", "total = 0\n        total += 1\n", True),
    ("a line less", METHOD, "        total = 0\n", "", True),
    ("a blank line more", METHOD, "total = 0\n", "total = 0\n\n\n", True),
    ("a statement at its end", METHOD, "= total\n", "= total\n        print()\n", True),
    ("a known attribute", METHOD, "total = 0", "self.items = None or []", False),
    ("a new attribute", METHOD, "total = 0", "self.size_ = 0", False),
    ("what an attribute is", METHOD, "self.total = total", "self.total = total + 1", False),
    ("an attribute that goes", METHOD, "        self.total = total\n", "", False),
    ("the head", METHOD, "-> None", "-> int", False),
    ("a function after it", METHOD, "= total\n", "= total\n    def other(self) -> None: ...\n", False),
    ("a class inside", METHOD, "total = 0", "class Inner: ...", False),
    ("a global", METHOD, "total = 0", "global total", False),
    ("an import", METHOD, "total = 0", "import json", False),
    ("settings", METHOD, "total = 0", "total = 0  # mypy: ignore-errors", False),
    ("it yields", METHOD, "total = 0", "yield 0", False),
    ("does not parse", METHOD, "total = 0", "total = (", False),
    ("somewhere else", METHOD, "len(self.items)", "0", False),
    ("under decorators", PROPERTY, "len(self.items)", "0", True),
    ("a comment over the first statement", PROPERTY, "# How many.", "# So many.", False),
    ("a head of many lines", PROPERTY, "self,", "self, *,", False),
    ("still a generator", GENERATOR, "yield 1", "yield 2", True),
    ("no generator any more", GENERATOR, "yield 1", "return", False),
    ("a generator only inside", OUTER, "yield 3", "pass", False),
    ("a generator inside, and outside still", OUTER, "yield 2", "pass", True),
    ("at the left edge", FUNCTION, "cart.items = []", "cart.items = [1]", True),
    ("an import that stays", FUNCTION, "\n\n    import", "\n    print()\n    import", True),
    ("an import that changes", FUNCTION, "    import json", "    import sys", False),
    (
        "a statement at the left edge after it",
        FUNCTION,
        "    import json\n",
        "    import json\nadd(1)\n",
        False,
    ),
]


@pytest.mark.parametrize(("at", "was", "now", "stays"), [e[1:] for e in EDITS], ids=[e[0] for e in EDITS])
def test_what_stays_inside(at: Lines, was: str, now: str, stays: bool) -> None:
    text = dedent(TEXT)
    begin = text.index(
        was, sum(map(len, split_lines(text)[: at.first - 1])) if was in "    import json\n" else 0
    )
    old, new = split_lines(text), split_lines(text[:begin] + now + text[begin + len(was) :])
    body = body_edited(old, new, at, Edit.between(old, new))
    known = {"items", "total"}.__contains__
    assert (body is not None and stays_inside(body, known, defines=at is METHOD)) is stays


def test_a_snippet_has_its_lines_where_the_text_has_them() -> None:
    text = dedent(TEXT)
    old, new = split_lines(text), split_lines(text.replace("total = 0", "total = 0\n        total += 1"))
    body = body_edited(old, new, METHOD, Edit.between(old, new))
    assert body is not None
    made = split_lines(snippet(body))
    assert made[3] == "if 1:\n"
    assert made[4:9] == new[4:9]


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_outside_of_an_edit_the_texts_are_equal(old: list[str], new: list[str]) -> None:
    edit = Edit.between(old, new)
    assert old[: edit.start - 1] == new[: edit.start - 1]
    assert old[edit.stop - 1 :] == new[edit.stop - 1 + edit.delta :]
    assert 1 <= edit.start <= edit.stop <= len(old) + 1
    for line in (n for n in range(1, len(old) + 1) if not edit.replaced(n)):
        assert new[edit.moved(line) - 1] == old[line - 1]
