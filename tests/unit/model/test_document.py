"""Documents under edits, and snapshots."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.model import Document, Position, Snapshot, Span, digest_of
from support.python_texts import QUICK

# Rich in line ends, in what `str.splitlines` takes for one, and in characters of every width.
TEXTS = st.text(st.sampled_from("ab \t\n\r\f\v\x1c\x85\u2028é\U0001f600\ud800\0"), max_size=30)
SPANS = st.none() | st.builds(Span.of, *[st.integers(0, 12)] * 4)


def offset(text: str, place: Position) -> int:
    """Where a place is, found another way than the model's: line by line."""
    lines = re.split(r"(\r\n|\r|\n)", text)
    if place.line > len(lines) // 2:
        return len(text)
    before = sum(map(len, lines[: 2 * place.line]))
    return before + min(place.column, len(lines[2 * place.line]))


@QUICK
@given(TEXTS)
def test_lines_are_the_text(text: str) -> None:
    lines = Document("a.py", text).lines
    assert "".join(lines) == text
    assert all(re.fullmatch(r"[^\r\n]*(\r\n|\r|\n)", line) for line in lines[:-1])
    assert len(lines) == len(re.findall(r"\r\n|\r|\n", text)) + (not re.search(r"(^|[\r\n])\Z", text))


@QUICK
@given(TEXTS, st.lists(st.tuples(SPANS, TEXTS), max_size=5))
def test_edits_are_made_in_order(text: str, edits: list[tuple[Span | None, str]]) -> None:
    document, expected = Document("a.py", text, 0), text
    for version, (span, new) in enumerate(edits, 1):
        document = document.apply(span, new, version)
        if span is None:
            expected = new
        else:
            start, end = offset(expected, span.start), offset(expected, span.end)
            expected = expected[:start] + new + expected[max(start, end) :]
        assert (document.text, document.version) == (expected, version)
        assert document.digest == digest_of(expected)


@QUICK
@given(TEXTS, TEXTS)
def test_digests_tell_texts_apart(one: str, other: str) -> None:
    assert (digest_of(one) == digest_of(other)) is (one == other)
    assert re.fullmatch("[0-9a-f]{32}", digest_of(one))


def test_a_snapshot_never_changes() -> None:
    first = Snapshot().replace(Document("a.py", "1"))
    second = first.replace(Document("a.py", "2")).replace(Document("b.py", "3"))
    third = second.remove("a.py")
    assert (first.revision, second.revision, third.revision) == (1, 3, 4)
    assert [d.text for d in first.documents.values()] == ["1"]
    assert [d.text for d in second.documents.values()] == ["2", "3"]
    assert list(third.documents) == ["b.py"]
    with pytest.raises(TypeError):
        first.documents["c.py"] = Document("c.py", "")  # type: ignore[index]
