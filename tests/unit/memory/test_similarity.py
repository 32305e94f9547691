"""What tells two notes apart: what stands in the place of what."""

from __future__ import annotations

import pytest

from gateline.memory.similarity import Comparing

LESSON = "The report worker needs 2 GB in its container"


def told(new: str) -> dict[str, float]:
    return Comparing().features(new, LESSON, {})


def test_a_number_for_a_number_replaces_no_word() -> None:
    found = told("The report worker needs 4 GB in its container")
    assert found["word replaced"] == 0.0
    assert found["old words kept"] == pytest.approx(1.0)


def test_a_name_for_a_name_does() -> None:
    assert told("The mail worker needs 2 GB in its container")["word replaced"] > 0.8


def test_a_shorter_note_says_less() -> None:
    assert told("The worker needs GB")["shorter"] < 0 == told(LESSON)["shorter"]
    assert told("The worker needs GB")["old words kept"] < 1


def test_what_has_nothing_in_common_is_far() -> None:
    found = told("Prices come from the bank")
    assert (found["shared words"], found["same order"] < 0.4, found["far"] > 0.5) == (0.0, True, True)


@pytest.mark.parametrize("text", ["", "the of and", "42", "…"])
def test_a_note_without_words_is_compared_all_the_same(text: str) -> None:
    assert told(text)["old words kept"] == 0.0
    assert Comparing().features(LESSON, text, {})["old words kept"] == 0.0
