"""Suppression comments."""

from __future__ import annotations

import pytest
from gate_inputs import finding
from hypothesis import given
from hypothesis import strategies as st

from gateline.gates.suppress import added, apply
from gateline.model import Document, Finding, Source


def source(text: str) -> Source:
    return Source(Document("a.py", text))


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [f.code for f in findings]


@pytest.mark.parametrize(
    "comment",
    [
        "# gateline: ignore[GTL110] the stub is wrong",
        "#gateline:ignore[GTL110]: the stub is wrong",
        "# gateline: ignore[GTL301, GTL110] both are known",
        "# gateline: ignore[GTL1] every error here",
        "# noqa: E501  # gateline: ignore[GTL110] the stub is wrong",
        "# gateline: ignore-file[GTL110] generated",
    ],
)
def test_a_comment_with_code_and_reason_suppresses(comment: str) -> None:
    kept, suppressed, _ = apply(source(f"f(1)  {comment}\n"), [finding()])
    assert (codes(kept), codes(suppressed)) == ([], ["GTL110"])


@pytest.mark.parametrize(
    "comment",
    [
        "# gateline: ignore[GTL110]",
        "# gateline: ignore the stub is wrong",
        "# gateline: ignore[] the stub is wrong",
        "# gateline: ignore[E501] the stub is wrong",
        "# gateline: ignore[GTL110, x] the stub is wrong",
        "# gateline: ignroe[GTL110] the stub is wrong",
        "# gateline: ignore-file[GTL110]",
        "# gateline: ignore[GTL110",
    ],
)
def test_without_code_or_reason_it_does_not(comment: str) -> None:
    kept, suppressed, complaints = apply(source(f"f(1)  {comment}\n"), [finding()])
    assert (codes(kept), codes(suppressed), codes(complaints)) == (["GTL110"], [], ["GTL901"])
    assert complaints[0].span.start.column == 6


def test_it_is_about_its_own_line_and_code_only() -> None:
    text = "f(1)  # gateline: ignore[GTL110] known\nf(2)\n"
    kept, suppressed, _ = apply(source(text), [finding(), finding(line=1), finding("GTL301")])
    assert (len(kept), len(suppressed)) == (2, 1)


def test_unused_codes_are_reported_one_by_one() -> None:
    text = "f(1)  # gateline: ignore[GTL110, GTL301] known\n"
    _, _, complaints = apply(source(text), [finding()])
    assert codes(complaints) == ["GTL902"]
    assert "GTL301" in complaints[0].message


def test_nothing_is_called_unused_that_was_not_looked_for() -> None:
    text = "f(1)  # gateline: ignore[GTL110] known\n"
    assert apply(source(text), [], lambda _code, _line: False).complaints == ()


@pytest.mark.parametrize("broken", ["def f(:\n", "x = (\n", "  if x:\n y\n", "'''\n"])
def test_broken_text_is_read_and_never_called_unused(broken: str) -> None:
    text = f"f(1)  # gateline: ignore[GTL110] known\n{broken}f(2)  # gateline: ignore[GTL110] known\n"
    last = text.count("\n") - 1
    kept, suppressed, complaints = apply(source(text), [finding(), finding(line=last)])
    assert (codes(kept), len(suppressed), complaints) == ([], 2, ())
    assert apply(source(text), []).complaints == ()


def test_text_in_a_string_is_no_comment() -> None:
    kept, _, complaints = apply(source("x = '# gateline: ignore[GTL110] no'\n"), [finding()])
    assert (len(kept), complaints) == (1, ())


def test_only_added_ones_are_counted() -> None:
    one, two = "f(1)  # gateline: ignore[GTL110] a\n", "f(2)  # gateline: ignore[GTL110] b\n"
    assert added(source(one), source("\n" + one + two)) == 1
    assert added(source(one), source(one)) == 0
    assert added(None, source(one + two)) == 2
    assert added(source(one + two), source(one)) == 0


PIECES = st.sampled_from(
    [
        "# gateline: ignore[GTL110] why",
        "# gateline:",
        "f(",
        ")",
        "'''",
        '"',
        "\n",
        "\\",
        "\0",
        "\t",
        "é",
        "if x:",
    ]
)


@given(st.lists(PIECES).map("".join))
def test_any_text_can_be_read(text: str) -> None:
    found = [finding(line=i) for i in range(3)]
    kept, suppressed, _ = apply(source(text), found)
    assert sorted((*kept, *suppressed), key=lambda f: f.span) == found
