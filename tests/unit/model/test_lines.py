"""Which lines are changed."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.model.lines import changed_code, changed_lines
from support.python_texts import QUICK

LINES = st.lists(st.sampled_from("abcdef"), max_size=12)


@pytest.mark.parametrize(
    ("base", "lines", "changed"),
    [
        ("abc", "abc", set()),
        ("", "ab", {0, 1}),
        ("ab", "", set()),
        ("abc", "axc", {1}),
        ("abc", "xabc", {0}),
        ("abc", "abcx", {3}),
        ("abc", "ac", set()),
        ("abc", "cab", {0}),
        ("aaa", "aaaa", {3}),
        ("abcd", "axby", {1, 3}),
    ],
)
def test_changed_lines(base: str, lines: str, changed: set[int]) -> None:
    assert changed_lines(base, lines) == changed


@QUICK
@given(LINES, LINES)
def test_what_is_left_unchanged_stands_in_the_base_in_order(base: list[str], lines: list[str]) -> None:
    changed = changed_lines(base, lines)
    assert changed <= set(range(len(lines)))
    left = iter(base)
    assert all(line in left for n, line in enumerate(lines) if n not in changed)


@QUICK
@given(LINES, LINES, LINES)
def test_lines_put_in_are_the_changed_ones(head: list[str], put: list[str], tail: list[str]) -> None:
    marked = [f"new {line}" for line in put]
    assert changed_lines(head + tail, head + marked + tail) == set(range(len(head), len(head) + len(put)))


def test_a_rewritten_file_is_compared_quickly() -> None:
    base = [f"x{n}" for n in range(30_000)]
    start = time.process_time()
    changed = changed_lines(base, ["new", *reversed(base)])
    assert time.process_time() - start < 1
    assert 0 in changed


@pytest.mark.parametrize(
    ("base", "text"),
    [
        ("a = 1\nb = 2\n", "a = 1\r\nb = 2\r\n"),
        ("a = 1\nb = 2\n", "a = 1\nb = 2"),
        ("a = 1\nb = 2\n", "a = 1  \nb = 2\t\n"),
        ("a = 1\n\nb = 2\n", "a = 1\n    \nb = 2\n"),
        ("a = 1\nb = 2\n", "a = 1\n\fb = 2\n"),
        ("a = 1\nb = 2\n", "a = 1  # why\nb = 2\n"),
        ("# old\na = '#1'\n", "# new\na = '#1'  # why\n"),
        ('a = """x\ny"""\n', 'a = """x\r\ny"""\r\n'),
    ],
)
def test_what_python_does_not_see_is_no_changed_code(base: str, text: str) -> None:
    assert changed_code(base, text) == set()
    assert changed_code(text, base) == set()


@pytest.mark.parametrize(
    ("base", "text", "changed"),
    [
        ('a = """x\ny"""\n', 'a = """x \ny"""\n', {0}),
        ('a = f"""{1}\ny"""\n', 'a = f"""{1}\ny """\n', {1}),
        ("if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n", {2}),
        ("a = '#1'\n", "a = '#2'\n", {0}),
        ("a = 'x'\n", "a = 'x '\n", {0}),
        ("a = 1  # pragma: no cover\n", "a = 1\n", {0}),
        ("a = (\n", "a = (  # why\n", {0}),
    ],
)
def test_what_python_sees_is_changed_code(base: str, text: str, changed: set[int]) -> None:
    assert changed_code(base, text) == changed
