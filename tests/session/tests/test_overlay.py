"""What tests see of a change: a file without a text is there, one that is deleted or moved away is not."""

from __future__ import annotations

from gateline.model import Change, Document, FileChange, FileStatus
from gateline.session.tests.selecting import overlay_of

OLD = Document("a.py", "x = 1\n")


def seen(*rows: FileChange, **around: bytes) -> dict[str, object]:
    return overlay_of(Change("0" * 40, "base", rows), around)


def test_what_cannot_be_decoded_is_as_the_disk_has_it() -> None:
    row = FileChange("a.py", FileStatus.MODIFIED, OLD, None, "cannot be decoded as utf-8")
    assert seen(row) == {}


def test_what_cannot_be_decoded_is_as_the_index_has_it() -> None:
    row = FileChange("a", FileStatus.MODIFIED, Document("a", "x"), None, "cannot be decoded as utf-8")
    assert seen(row, a=b"\xe9") == {"a": b"\xe9"}


def test_the_old_name_of_what_cannot_be_decoded_is_gone() -> None:
    row = FileChange("b.py", FileStatus.RENAMED, OLD, None, "cannot be decoded as utf-8")
    assert seen(row) == {"a.py": None}


def test_what_is_deleted_is_gone() -> None:
    assert seen(FileChange("a.py", FileStatus.DELETED, OLD, None)) == {"a.py": None}


def test_what_has_a_text_is_seen() -> None:
    row = FileChange("b.py", FileStatus.RENAMED, OLD, Document("b.py", "y = 2\n"))
    assert seen(row) == {"a.py": None, "b.py": "y = 2\n"}
