"""Rows of a change."""

from __future__ import annotations

import pytest

from gateline.model import Document, FileChange, FileStatus

HERE, THERE = Document("here.py", "x = 1\n"), Document("there.py", "x = 1\n")


@pytest.mark.parametrize(
    ("base", "current", "path", "status"),
    [
        (None, HERE, "here.py", FileStatus.ADDED),
        (HERE, None, "here.py", FileStatus.DELETED),
        (HERE, Document("here.py", ""), "here.py", FileStatus.MODIFIED),
        (THERE, HERE, "here.py", FileStatus.RENAMED),
    ],
)
def test_the_status_of_a_file_is_told_by_its_paths(
    base: Document | None, current: Document | None, path: str, status: FileStatus
) -> None:
    assert FileChange.between(base, current) == FileChange(path, status, base, current)
