"""What the house rules compare: as little as possible, and never less than what changed."""

from __future__ import annotations

import ast

import pytest

from gateline.model import Document, Source
from gateline.repairs.narrowing import narrowed

TEXT = """\
import os

LIMIT = 3


def first(rows):
    return rows[0]


class Shop:
    size = 1

    def open(self):
        return self.size

    @property
    def name(self):
        return "shop"


def last(rows):
    return rows[-1]
"""


def of(after: str, before: str = TEXT) -> tuple[str, str]:
    found = narrowed(Source(Document("shop.py", before)), after)
    assert found is not None
    return found


def shown(text: str) -> list[str]:
    return [row for row in text.splitlines() if row]


def test_one_statement_is_left_on_its_line() -> None:
    before, after = of(TEXT.replace("rows[0]", "rows[1]"))
    assert shown(before) == ["def first(rows):", "    return rows[0]"]
    assert shown(after) == ["def first(rows):", "    return rows[1]"]
    assert before.splitlines().index("def first(rows):") == TEXT.splitlines().index("def first(rows):")


def test_of_a_class_its_head_and_the_method_are_left() -> None:
    before, after = of(TEXT.replace("self.size", "self.width"))
    assert shown(before)[0] == shown(after)[0] == "class Shop:"
    assert "shop" not in before.replace("class Shop", "")
    assert "        return self.width" in after


def test_what_is_added_far_above_does_not_bring_back_the_rest() -> None:
    before, after = of("import re\n" + TEXT.replace("rows[-1]", "re.sub(rows)"))
    assert "class Shop" not in before + after
    assert "import re" in after


def test_a_comment_that_is_added_is_left() -> None:
    _, after = of(TEXT.replace("    size = 1\n", "    size = 1  # noqa\n"))
    assert "# noqa" in after


def test_a_line_behind_a_statement_belongs_to_it() -> None:
    _, after = of(TEXT.replace("    return rows[0]\n", "    return rows[0]\n    print(rows)\n"))
    assert "    return rows[0]" in after


@pytest.mark.parametrize("text", ["def (:\n", ""])
def test_a_text_that_does_not_parse_is_compared_whole(text: str) -> None:
    source = Source(Document("shop.py", text))
    assert narrowed(source, TEXT) is None or text == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 3", "LIMIT = 4"),
        ('"shop"', '"x"\n'),
        ("import os", "import os, re"),
        ("size = 1", "size = 2"),
    ],
)
def test_both_sides_still_parse(old: str, new: str) -> None:
    for text in of(TEXT.replace(old, new)):
        ast.parse(text)
