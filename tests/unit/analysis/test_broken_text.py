"""Texts that do not parse, read as far as they do."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.analysis.broken_text import readable

CASES = {
    "a bracket that is not closed": (
        "A = 1\n\ndef f(x):\n    y = (x + 1\n    return y\n",
        "A = 1\n\ndef f(x):\n    _unread_()\n    return y\n",
    ),
    "a head without a colon": (
        "def f(x):\n    if x\n        return 1\n    return 2\n",
        "def f(x):\n    if x:\n        return 1\n    return 2\n",
    ),
    "a function without a colon": ("def f(x)\n    return x\n", "def f(x):\n    return x\n"),
    "an arm without a colon": ("if x: y()\nelse\n    z()\n", "if x: y()\nelse:\n    z()\n"),
    "a whole body": ("def f(x):\n    return x +\n", "def f(x):\n    _unread_()\n"),
    "line ends stay": ("x = = 1\r\ny = 2\r\n", "_unread_()\r\ny = 2\r\n"),
    "several lines": ("x = = 1\ny = 2\nz = = 3\n", "_unread_()\ny = 2\n_unread_()\n"),
    "an indentation from nowhere": ("x = 1\n    y = 2\nz = 3\n", "x = 1\n_unread_()\nz = 3\n"),
}


@pytest.mark.parametrize("name", CASES)
def test_broken_lines_are_replaced_and_the_others_stay(name: str) -> None:
    text, wanted = CASES[name]
    assert readable(text) == wanted


@pytest.mark.parametrize(
    "text", ["try:\n    x()\ny()\n", "x = 'a\0b'\n", "".join("a b\n" for _ in range(30))]
)
def test_what_cannot_be_read_at_all_is_told(text: str) -> None:
    assert readable(text) is None


@given(
    st.lists(
        st.sampled_from(["x = 1\n", "def f(:\n", "    return (\n", "if x:\n", "  y\n", ")\n", "\n"]),
        max_size=9,
    )
)
def test_what_is_read_parses_and_has_as_many_lines(lines: list[str]) -> None:
    text = "".join(lines)
    found = readable(text)
    if found is not None:
        ast.parse(found)
        assert found.count("\n") == text.count("\n")
