"""What of a note is content, and what is only its form."""

from __future__ import annotations

import pytest

from gateline.memory.wording import digest_of, stems

SAME = [
    ("Prices are rounded half up", "prices  are rounded\n half up."),
    ("Don’t retry “transfer”", 'Don\'t retry "transfer"'),
    ("- Pin mypy", "Pin mypy!"),
    ("1. Pin mypy", "pin mypy"),
    ("ﬁle locks", "file locks"),
]
OTHER = [
    ("Retry three times", "Retry four times"),
    ("Do retry", "Do not retry"),
    ("Use foo_bar", "Use foo.bar"),
    ("a/b", "a b"),
    ("timeout > 5", "timeout < 5"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_form_is_no_content(one: str, other: str) -> None:
    assert digest_of(one) == digest_of(other)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_content_tells(one: str, other: str) -> None:
    assert digest_of(one) != digest_of(other)


def test_words_are_found_without_their_inflections() -> None:
    assert stems("Rounded prices of getTotal") == ["round", "pric", "get", "total", "gettotal"]
