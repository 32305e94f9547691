"""A patch is applied in memory as `patch` would apply it, or refused with its reason."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateline.session.checks.patching import patched
from gateline.session.errors import UsageError

TEXT = "".join(f"line {n}\n" for n in range(1, 21))
_lines = st.lists(st.sampled_from(["a\n", "b\n", "    c\n", "\n", "d = 1\n"]), max_size=12)


def diff(before: str, after: str, path: str = "a.py") -> str:
    lines = (text.splitlines(keepends=True) for text in (before, after))
    rows = difflib.unified_diff(*lines, f"a/{path}", f"b/{path}")
    return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


@given(_lines, _lines, st.booleans(), st.booleans())
def test_what_a_difference_tells_is_made(before: list[str], after: list[str], cut: bool, short: bool) -> None:
    old, new = "".join(before), "".join(after)
    old, new = old[:-1] if cut else old, new[:-1] if short else new
    if old == new:
        return
    assert patched(diff(old, new), {"a.py": old}.get) == {"a.py": new}


def test_a_hunk_is_found_where_its_lines_moved_to() -> None:
    moved = "new\n" * 7 + TEXT
    patch = diff(TEXT, TEXT.replace("line 9\n", "line nine\n"))
    assert patched(patch, lambda _: moved) == {"a.py": moved.replace("line 9\n", "line nine\n")}


def test_line_ends_of_the_file_stay() -> None:
    windows = TEXT.replace("\n", "\r\n")
    patch = diff(TEXT, TEXT.replace("line 9\n", "line nine\n"))
    assert patched(patch, lambda _: windows) == {"a.py": windows.replace("line 9\r\n", "line nine\r\n")}


def test_files_come_go_and_are_renamed() -> None:
    patch = (
        "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+x = 1\n"
        "--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-y = 1\n"
        "diff --git a/old.py b/named.py\nrename from old.py\nrename to named.py\n"
        "--- a/old.py\n+++ b/named.py\n@@ -1 +1 @@\n-z = 1\n+z = 2\n"
    )
    texts = {"gone.py": "y = 1\n", "old.py": "z = 1\n"}
    assert patched(patch, texts.get) == {
        "new.py": "x = 1\n",
        "gone.py": None,
        "old.py": None,
        "named.py": "z = 2\n",
    }


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ("make it better", "it has no lines `--- a/FILE`"),
        ("--- a/a.py\n+++ b/a.py\n@@ -1,3 +1 @@\n-a\n", "not a unified diff"),
        ("--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-other\n+b\n", "expects 'other', but the file has 'line 1'"),
        ("--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-a\n+b\n", "b.py does not exist"),
        ("@@ -1 +1 @@\n-a\n+b\n", "not a unified diff"),
    ],
)
def test_what_does_not_fit_is_refused(patch: str, said: str) -> None:
    with pytest.raises(UsageError, match="patch: ") as refused:
        patched(patch, {"a.py": TEXT}.get)
    assert said in str(refused.value)
