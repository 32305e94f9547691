"""What was begun early is taken once."""

from __future__ import annotations

import pytest

from gateline.session.context.prefetch import Early


def test_the_answer_that_was_begun_is_taken_once_and_then_it_is_asked_again() -> None:
    answers = iter(["first", "second", "third"])
    early = Early(lambda: next(answers))
    assert [early(), early(), early()] == ["first", "second", "third"]


def test_what_fails_fails_where_it_is_asked_for() -> None:
    def fail() -> str:
        raise OSError("no such thing")

    early = Early(fail)
    with pytest.raises(OSError, match="no such thing"):
        early()
