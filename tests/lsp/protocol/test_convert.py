"""Positions and edits in the client's units: any text, any place, any encoding."""

from __future__ import annotations

from collections.abc import Sequence

from editor_text import Text, units
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from gateline.lsp.buffer import Buffer
from gateline.lsp.convert import Encoding, column_at, encoding_of, locate, to_client, units_before
from gateline.model import Document, Position, Span

# Rich in line ends, in what `str.splitlines` takes for one, and in characters of every width.
CHARACTERS = st.sampled_from("ab \t\n\r\f\v\x1c\x85\u2028é€\U0001d4d0\U0001f600\u0301\ud800")
TEXTS = st.text(CHARACTERS, max_size=40)
ENCODINGS = st.sampled_from(list(Encoding))


@given(TEXTS, st.data(), ENCODINGS)
def test_every_place_goes_to_the_client_and_back(text: str, data: st.DataObject, encoding: Encoding) -> None:
    document = Document("a.py", text)
    lines = [line.rstrip("\r\n") for line in document.lines] or [""]
    number = data.draw(st.integers(0, len(lines) - 1))
    place = Position(number, data.draw(st.integers(0, len(lines[number]))))
    there = to_client(Span(place, place), document.lines, encoding).start
    assert there.character == units(lines[number][: place.column], encoding)
    assert locate(text, there, encoding)[0] == place


@given(TEXTS, st.integers(0, 60), ENCODINGS)
def test_a_place_inside_a_character_is_the_place_before_it(
    line: str, offset: int, encoding: Encoding
) -> None:
    column = column_at(line, offset, encoding)
    assert units_before(line, column, encoding) <= offset
    assert column == len(line) or units_before(line, column + 1, encoding) > offset


EDITS = st.lists(
    st.lists(
        st.tuples(st.none() | st.tuples(*[st.integers(0, 12)] * 4), st.text(CHARACTERS, max_size=6)),
        max_size=4,
    ),
    max_size=6,
)


@given(TEXTS, EDITS, ENCODINGS)
def test_edits_keep_the_client_the_buffer_and_the_session_equal(
    text: str, notifications: list[list[tuple[tuple[int, int, int, int] | None, str]]], encoding: Encoding
) -> None:
    client = Text(text, encoding)
    buffer = Buffer(lsp.TextDocumentItem("file:///a.py", "python", 0, text), encoding)
    document = Document("a.py", text, 0)
    for version, changes in enumerate(notifications, 1):
        for place, new in changes:
            buffer.apply_change(client.edit(place, new))
        for span, new in buffer.take_edits():
            document = document.apply(span, new, version)
        assert buffer.text == document.text == client.text


def test_edits_are_taken_once() -> None:
    buffer = Buffer(lsp.TextDocumentItem("file:///a.py", "python", 0, "ab"), Encoding.UTF16)
    buffer.apply_change(lsp.TextDocumentContentChangeWholeDocument("c"))
    assert buffer.take_edits() == ((None, "c"),)
    assert buffer.take_edits() == ()


def test_what_lies_behind_the_text_means_its_end() -> None:
    def found(line: int, character: int) -> tuple[Position, int]:
        return locate("ab\ncd", lsp.Position(line, character), Encoding.UTF16)

    assert found(0, 99) == (Position(0, 2), 2)
    assert found(1, 99) == found(7, 0) == (Position(1, 2), 5)
    assert locate("", lsp.Position(3, 3), Encoding.UTF8) == (Position(0, 0), 0)


def test_a_form_feed_ends_no_line() -> None:
    lines: Sequence[str] = Document("a.py", "a\x0cb\nc").lines
    assert to_client(Span.of(1, 0, 1, 1), lines, Encoding.UTF16).start == lsp.Position(1, 0)
    assert locate("a\x0cb\nc", lsp.Position(1, 0), Encoding.UTF16) == (Position(1, 0), 4)


def test_the_default_encoding_is_utf_16() -> None:
    assert encoding_of(None) is encoding_of(lsp.PositionEncodingKind.Utf16) is encoding_of("utf-16")
