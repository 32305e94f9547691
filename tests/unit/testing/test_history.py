"""What files held when a test ran, from what changed between two looks at them."""

from __future__ import annotations

import pytest

from gateline.testing.history import History

LOOKS = [
    {"a": "1", "b": "1"},
    {"a": "2", "b": "1"},
    {"a": "2", "b": "1", "c": "1"},
    {"a": "1", "c": "1"},
]


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        pytest.param(0, {"b": "1", "c": None}, id="before the first look: as it was then"),
        pytest.param(1, {"b": "1", "c": None}, id="what came back to what it was is the same"),
        pytest.param(2, {"a": "2", "b": "1", "c": None}, id="what changed, went and came"),
        pytest.param(3, {"a": "2", "b": "1"}, id="what was there already is not new"),
        pytest.param(4, {}, id="now"),
    ],
)
def test_then(moment: int, expected: dict[str, str | None]) -> None:
    history = History()
    for files in LOOKS:
        history.see(files)
        history.see(files)
    assert history.moment == len(LOOKS)
    assert history.then(moment, history.now) == expected
    history.forget([2, 3])
    if moment >= 2:
        assert history.then(moment, history.now) == expected


def test_other_files_than_the_newest_are_compared_as_well() -> None:
    history = History()
    history.see({"a": "1", "b": "1"})
    assert history.then(1, {"a": "2"}) == {"a": "1", "b": "1"}
