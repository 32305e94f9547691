"""What the measurement of selection says of its changes."""

from __future__ import annotations

from gateline_dev.affected.changes import Row, summary

ROWS = [
    Row("toolz:a:0", "", total=10, selected=1, failing=1, is_code=True),
    Row("toolz:b:0", "", total=10, selected=2, failing=0, is_code=True),
    Row("toolz:c:0", "", total=10, selected=10, failing=3, missed=["test_a"]),
]


def test_summary() -> None:
    said = dict(line.strip("| ").split(" | ") for line in summary(ROWS).splitlines())
    assert said["changes"] == "3"
    assert said["of these, some test fails for"] == "2"
    assert said["of these, all failing tests selected"] == "1"
    assert said["of these, selected, %"] == "75.00"
    assert said["2 edits of Python: share of tests selected, p50 / p90, %"].startswith("10")


def test_nothing_was_measured() -> None:
    assert "changes" in summary([])
