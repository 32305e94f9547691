"""Which added file is a deleted one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gateline.session.workspace.renames import likeness, pair

BODY = "".join(f"line {n}\n" for n in range(10))


def test_equal_texts_are_a_rename() -> None:
    assert pair({"old.py": BODY}, {"new.py": BODY}) == {"new.py": "old.py"}


def test_an_edited_file_is_still_a_rename() -> None:
    assert pair({"old.py": BODY}, {"new.py": BODY + "and more\n"}) == {"new.py": "old.py"}


def test_another_text_is_not() -> None:
    assert pair({"old.py": BODY}, {"new.py": "something else entirely\n"}) == {}


def test_empty_files_are_never_renames() -> None:
    assert pair({"old.py": ""}, {"new.py": ""}) == {}


def test_the_most_alike_wins() -> None:
    half = "".join(f"line {n}\n" for n in range(6)) + "x\ny\nz\n"
    assert pair({"old.py": BODY, "half.py": half}, {"new.py": BODY + "!\n"}) == {"new.py": "old.py"}


texts = st.dictionaries(st.sampled_from("abcd"), st.sampled_from([BODY, BODY[:30], "x\n", ""]), max_size=4)


@given(texts, texts)
def test_no_file_is_paired_twice(deleted: dict[str, str], added: dict[str, str]) -> None:
    pairs = pair(deleted, {f"new_{name}": text for name, text in added.items()})
    assert len(set(pairs.values())) == len(pairs)


@given(st.text("ab\n", max_size=20), st.text("ab\n", max_size=20))
def test_likeness_is_a_symmetric_share(a: str, b: str) -> None:
    assert 0 <= likeness(a, b) <= 1
    assert likeness(a, b) == likeness(b, a)
