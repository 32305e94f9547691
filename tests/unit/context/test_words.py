"""From words to tokens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gateline.context.words import Lexicon, stem, tokens_of


@pytest.mark.parametrize(
    ("word", "tokens"),
    [
        ("getHTTPCode", ("get", "http", "cod", "gethttpcode")),
        ("get_http_code", ("get", "http", "cod", "gethttpcode")),
        ("self", ()),
        ("the", ()),
        ("x", ()),
        ("utf8", ("utf", "utf8")),
        ("größe_max", ("größe", "max", "größemax")),
        ("AKIA1234567890ABCDEFGHIJ", ()),
        ("123456", ()),
        ("404", ("404",)),
    ],
)
def test_identifiers_are_taken_apart(word: str, tokens: tuple[str, ...]) -> None:
    assert tokens_of(word) == tokens


@pytest.mark.parametrize(
    "family",
    [
        ("change", "changes", "changed", "changing"),
        ("query", "queries"),
        ("stop", "stops", "stopped", "stopping"),
        ("class", "classes"),
        ("parse", "parsing", "parsed"),
    ],
)
def test_inflections_are_one_token(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize("word", ["string", "bus", "status", "is", "red", "king"])
def test_what_only_looks_inflected_stays(word: str) -> None:
    assert stem(word) == word


@settings(deadline=None)
@given(st.text(max_size=60))
def test_what_was_read_is_found_again(text: str) -> None:
    lexicon = Lexicon()
    read = [number for place in lexicon.read(text) for number in lexicon.words[place]]
    assert lexicon.find(text) == read
    assert Lexicon(lexicon.tokens).find(text) == read
